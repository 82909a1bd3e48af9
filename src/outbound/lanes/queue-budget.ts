/**
 * Bounds the deliveries that all lanes of a thread hold in memory. Above the bound lanes are narrowed: first those
 * whose host is failing, then the longest. Deliveries that they drop stay in the log and are read again when there is
 * room.
 *
 * INVARIANT: the total is at most a quarter above the bound, because it is checked after that much was added.
 */
import type { Lane } from './lane.ts';
import { laneLimits } from './limits.ts';

const sequenceBytes = 8;

export interface QueueBudgetOptions {
  readonly bytesMax: number;
  lanes(): Iterable<Pick<Lane, 'queue' | 'health'>>;
}

export class QueueBudget {
  private readonly options: QueueBudgetOptions;
  private readonly sequencesMax: number;
  private added = 0;

  constructor(options: QueueBudgetOptions) {
    this.options = options;
    this.sequencesMax = Math.floor(options.bytesMax / sequenceBytes);
  }

  /** Memory of all queues. */
  get bytes(): number {
    let sequences = 0;
    for (const { queue } of this.options.lanes()) sequences += queue.waiting;
    return sequences * sequenceBytes;
  }

  /** Call when a delivery was added to a lane. */
  add(): void {
    this.added += 1;
    if (this.added * 4 <= this.sequencesMax) return;
    this.added = 0;
    this.narrowLanes();
  }

  private narrowLanes(): void {
    let excess = this.bytes / sequenceBytes - this.sequencesMax;
    if (excess <= 0) return;
    const lanes = [...this.options.lanes()].filter(({ queue }) => queue.waiting > laneLimits.pendingPerNarrowLaneMax);
    lanes.sort(
      (one, other) =>
        Number(other.health.isFailing) - Number(one.health.isFailing) || other.queue.waiting - one.queue.waiting,
    );
    for (const { queue } of lanes) {
      if (excess <= 0) return;
      excess -= queue.waiting;
      queue.narrow(laneLimits.pendingPerNarrowLaneMax);
      excess += queue.waiting;
    }
  }
}
