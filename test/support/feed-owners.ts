/**
 * Partitions in memory with a few feed rings each, and people over them. Everything runs in one thread, one task at a
 * time, in an order that a seed decides. Rings are opened, merged and filled in three steps, as a gateway does, with what it
 * has kept: of each partition it has heard, in order, what came before an answer, and nothing else until it is told to.
 */
import { homeStatusIds } from '../../src/actors/account/home/home.queries.ts';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import { allocateRings, type RingMemory, RingReader } from '../../src/actors/partition/feed-rings.queries.ts';
import type { FeedAnswer, FeedRequest } from '../../src/actors/partition/feeds.messages.ts';
import { atOnce } from '../../src/operations/presentation/slice.ts';
import type { EventBatch, LoggedEvent } from '../../src/runtime/events/event.ts';
import { type Id, slotOfId } from '../../src/runtime/ids.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import { KeptStatuses } from '../../src/services/kept-statuses.ts';
import { createTestServer, type TestServer } from './actors.ts';
import type { MemoryStore } from './memory-log.ts';
import type { Person } from './observer.ts';
import { People } from './people.ts';
import { HeardFeeds } from './stream-views.ts';

/** Of some authors only. */
const keptBytes = 20_000;

export interface FeedOwnersOptions {
  readonly partitions: number;
  /** Per partition. */
  readonly rings: number;
  readonly entries: number;
  readonly ringsPerSlice?: number;
  /** Existing disks, one for each partition. */
  readonly disks?: readonly MemoryStore[];
}

/** A ring that was opened and is not filled yet. */
interface Filling {
  readonly person: Person;
  readonly generation: number;
  merged?: { readonly ids: Id[]; readonly whole: boolean };
}

/** An event with the listening accounts that its partition's view named. */
export interface Named {
  readonly partition: number;
  readonly event: LoggedEvent;
  readonly accounts: readonly Id[];
}

export class FeedOwners {
  readonly server: TestServer;
  readonly people: People;
  readonly memories: readonly RingMemory[];
  readonly readers: readonly RingReader[];
  readonly fillings: Filling[] = [];
  /** In the order of commits; tests empty it. */
  named: Named[] = [];
  private readonly options: FeedOwnersOptions;
  private readonly events = new EventHub();
  private readonly kept = new KeptStatuses({ events: this.events, bytesMax: keptBytes });
  /** By partition. */
  private readonly unheard = new Map<number, EventBatch[]>();

  constructor(options: FeedOwnersOptions) {
    this.options = options;
    const { rings, entries, partitions, ringsPerSlice } = options;
    this.memories = Array.from({ length: partitions }, () => allocateRings(rings, entries));
    this.readers = this.memories.map((memory) => new RingReader(memory));
    // No view uses time or deferred work before the server exists.
    const ports = {
      monotonic: () => this.server.clock.monotonic(),
      defer: (work: () => void) => this.server.defer(work),
    };
    this.server = createTestServer({
      partitions,
      ...(options.disks && { disks: options.disks }),
      actors,
      keyspaces,
      views: (partition) => [
        new HeardFeeds(this.memories[partition]!, ports, ringsPerSlice, (batch, recipients) => {
          const { events } = batch;
          this.unheard.set(partition, [...(this.unheard.get(partition) ?? []), batch]);
          for (const [index, event] of events.entries()) {
            const accounts = recipients.filter((one) => one.index === index).flatMap((one) => one.ids);
            this.named.push({ partition, event, accounts });
          }
        }),
      ],
    });
    this.people = new People(this.server);
  }

  control(person: Person, request: FeedRequest, caller = 0): FeedAnswer {
    return this.server.partitions[this.partitionOf(person)]!.control('feeds', request, caller) as FeedAnswer;
  }

  /** The first step of warming a feed; does nothing where no ring is available. */
  open(person: Person): void {
    const { generation } = this.control(person, { kind: 'open', accountId: person.id });
    this.hear(this.partitionOf(person));
    if (generation !== undefined) this.fillings.push({ person, generation });
  }

  /** The events of a partition reach the gateway. */
  hear(partition: number): void {
    for (const batch of this.unheard.get(partition) ?? []) this.events.dispatch(batch, []);
    this.unheard.delete(partition);
  }

  /** The next step for an opened ring: the merge, then the fill, which may come too late. */
  carryOn(filling: Filling): void {
    const { person, generation, merged } = filling;
    const { entries: limit } = this.options;
    if (merged === undefined) {
      const ids = atOnce(homeStatusIds(this.server.read, person.id, { limit }, this.kept));
      filling.merged = { ids: ids.reverse(), whole: ids.length < limit };
      return;
    }
    this.fillings.splice(this.fillings.indexOf(filling), 1);
    this.control(person, { kind: 'fill', accountId: person.id, generation, ...merged });
  }

  warm(person: Person): void {
    this.open(person);
    const filling = this.fillings.at(-1)!;
    this.carryOn(filling);
    this.carryOn(filling);
  }

  ringOf(person: Person): { ids: Id[]; whole: boolean } | undefined {
    const copy = this.readers[this.partitionOf(person)]!.read(
      person.id,
      Math.floor(this.server.clock.monotonic() / 1000),
    );
    return copy === undefined ? undefined : { ids: [...copy.ids], whole: copy.whole };
  }

  hasRing(person: Person): boolean {
    return this.readers[this.partitionOf(person)]!.find(person.id) >= 0;
  }

  /** As after an append that failed. */
  reopen(partition: number): void {
    void this.server.partitions[partition]!.open(1);
    this.server.settle();
    this.unheard.delete(partition);
    this.events.dispatchLoss();
  }

  /** Per partition. */
  get rings(): number {
    return this.options.rings;
  }

  partitionOf({ id }: Person): number {
    return this.server.read.placement.partitionOf(slotOfId(id));
  }
}
