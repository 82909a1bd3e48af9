/**
 * A gateway: reads snapshots of all partitions, no older than the commits it knows of, and learns of commits over
 * links. A link keeps their order and ends with the owner at its other end; messages in transit on it may be lost. The
 * gateway learns of the end later, listens to the new owner, and assumes that it has missed events up to then.
 */
import type { EventBatch } from '../../src/runtime/events/event.ts';
import { Snapshots } from '../../src/runtime/storage/snapshots.ts';
import type { EventListener } from './workload.ts';
import type { World } from './world.ts';

interface Link {
  /** The life of the process at its other end. */
  readonly life: number;
  isListenedTo: boolean;
  /** Nothing on it arrives before this. */
  earliest: number;
}

export class SimulatedGateway {
  readonly snapshots: Snapshots;
  private readonly world: World;
  /** By partition. */
  private readonly links: Link[];
  /** Number of messages in transit. */
  private underWay = 0;

  constructor(world: World) {
    this.world = world;
    this.snapshots = new Snapshots(
      world.placement,
      world.seats.map(({ store }) => store.snapshot()),
    );
    this.links = world.seats.map(() => ({ life: 1, isListenedTo: true, earliest: 0 }));
  }

  get isQuiet(): boolean {
    return this.underWay === 0;
  }

  /** A partition announces a commit. */
  published(batch: EventBatch, life: number): void {
    const { listener } = this.world.workload;
    const link = this.links[batch.partition]!;
    if (listener === undefined || !link.isListenedTo || link.life !== life) return;
    const copy = structuredClone(batch);
    this.carry(batch.partition, link, () => {
      this.snapshots.noteCommit(copy);
      const complaint = listener.heard(copy);
      if (complaint !== undefined) this.world.complain('gateway', complaint);
    });
  }

  /** Another process has taken the place of the one that had this partition. */
  replaced(partition: number, life: number): void {
    const { timeline, network, workload } = this.world;
    const { listener } = workload;
    if (listener === undefined) return;
    this.after(network.travel(), () => {
      if (this.links[partition]!.life > life) return;
      const link: Link = { life, isListenedTo: false, earliest: timeline.now };
      this.links[partition] = link;
      this.lost(listener);
      this.after(network.travel(), () => {
        link.isListenedTo = true;
        this.carry(partition, link, () => this.lost(listener));
      });
    });
  }

  private lost(listener: EventListener): void {
    this.snapshots.noteCommit();
    listener.lost();
  }

  private carry(partition: number, link: Link, arrive: () => void): void {
    const { timeline, network } = this.world;
    link.earliest = Math.max(link.earliest, timeline.now + network.travel());
    this.after(link.earliest - timeline.now, () => {
      if (this.links[partition] === link) arrive();
    });
  }

  private after(milliseconds: number, run: () => void): void {
    this.underWay += 1;
    this.world.timeline.after(milliseconds, () => {
      this.underWay -= 1;
      run();
    });
  }
}
