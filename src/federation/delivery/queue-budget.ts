/**
 * The total of what the lanes of a thread hold in their queues. Above it lanes are narrowed: first those whose host does
 * not answer, then the longest. What they no longer hold stays in the log, and is read again when there is room.
 *
 * INVARIANT: at most a quarter above the bound, by what was added since the lanes were counted last.
 */
import type { Lane } from './lane.ts';
import { egressLimits } from './limits.ts';

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

  /** What all lanes hold now. */
  get bytes(): number {
    let sequences = 0;
    for (const { queue } of this.options.lanes()) sequences += queue.waiting;
    return sequences * sequenceBytes;
  }

  /** Call when a lane holds one delivery more. */
  add(): void {
    this.added += 1;
    if (this.added * 4 <= this.sequencesMax) return;
    this.added = 0;
    this.narrowLanes();
  }

  private narrowLanes(): void {
    let excess = this.bytes / sequenceBytes - this.sequencesMax;
    if (excess <= 0) return;
    const lanes = [...this.options.lanes()].filter(({ queue }) => queue.waiting > egressLimits.pendingPerNarrowLaneMax);
    lanes.sort(
      (one, other) =>
        Number(other.health.isFailing) - Number(one.health.isFailing) || other.queue.waiting - one.queue.waiting,
    );
    for (const { queue } of lanes) {
      if (excess <= 0) return;
      excess -= queue.waiting;
      queue.narrow(egressLimits.pendingPerNarrowLaneMax);
      excess += queue.waiting;
    }
  }
}
