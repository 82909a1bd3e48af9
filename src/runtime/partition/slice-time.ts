/**
 * The time of the current slice, in which a partition runs without a pause. Messages caused by a message belong to the
 * slice in which it runs.
 */
import { partitionLimits } from '../limits.ts';
import type { Clock } from '../ports.ts';

export class SliceTime {
  private readonly clock: Clock;
  private end = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  begin(): void {
    this.end = this.clock.monotonic() + partitionLimits.sliceMillisecondsMax;
  }

  get isOver(): boolean {
    return this.clock.monotonic() >= this.end;
  }
}
