/**
 * Decides where long work pauses for other work: after a number of reads from storage or of examined statuses (a
 * fraction of a millisecond if all is in memory), and in any case after some time, because reads may wait for the disk.
 */
import { presentationLimits } from './limits.ts';

/** What the length of a slice is measured by. */
export interface SliceMeter {
  /** Reads of the thread from storage so far. */
  readonly readCount: number;
  /** In milliseconds. */
  now(): number;
}

const { readsPerSlice, statusesPerSlice, sliceMillisecondsMax } = presentationLimits;

export class Slice {
  private readonly meter: SliceMeter;
  private readsBefore = 0;
  private statuses = 0;
  private endsAt = 0;

  /** Begins the first slice. */
  constructor(meter: SliceMeter) {
    this.meter = meter;
    this.begin();
  }

  /** Call after a pause. */
  begin(): void {
    this.readsBefore = this.meter.readCount;
    this.statuses = 0;
    this.endsAt = this.meter.now() + sliceMillisecondsMax;
  }

  /** Counts examined statuses. True when other work should run first. */
  isOver(statuses = 1): boolean {
    this.statuses += statuses;
    return (
      this.statuses >= statusesPerSlice ||
      this.meter.readCount - this.readsBefore >= readsPerSlice ||
      this.meter.now() >= this.endsAt
    );
  }
}

/** The result of work in slices, all of them at once: for callers that cannot wait. */
export function atOnce<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
