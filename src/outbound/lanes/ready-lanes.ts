/**
 * The lanes that can send now, round robin: each sends one request and goes to the end, so that none waits for the
 * backlog of another. Hosts with a recent good response alternate with all others.
 */
import type { Lane } from './lane.ts';

class Line {
  private lanes: Lane[] = [];
  private head = 0;

  get isEmpty(): boolean {
    return this.head === this.lanes.length;
  }

  add(lane: Lane): void {
    this.lanes.push(lane);
  }

  take(): Lane {
    const lane = this.lanes[this.head]!;
    this.head += 1;
    if (this.isEmpty || (this.head > 1_024 && this.head * 2 > this.lanes.length)) {
      this.lanes = this.lanes.slice(this.head);
      this.head = 0;
    }
    return lane;
  }
}

export class ReadyLanes {
  private readonly proved = new Line();
  private readonly unproved = new Line();
  private wasProved = false;

  /** Adds a lane at the end, unless it is there already. */
  add(lane: Lane): void {
    if (lane.isReady) return;
    lane.isReady = true;
    (lane.health.isProved ? this.proved : this.unproved).add(lane);
  }

  /** The next lane; hosts without a recent good response only where that is allowed. */
  take(allowsUnproved: boolean): Lane | undefined {
    const hasUnproved = allowsUnproved && !this.unproved.isEmpty;
    if (this.proved.isEmpty && !hasUnproved) return undefined;
    this.wasProved = hasUnproved ? !this.wasProved && !this.proved.isEmpty : true;
    const lane = (this.wasProved ? this.proved : this.unproved).take();
    lane.isReady = false;
    return lane;
  }
}
