/**
 * Decides where long work pauses: after a number of reads from storage or of statuses examined. It counts and uses no
 * clock, so that slices are the same on every machine under any load.
 */
import { presentationLimits } from './limits.ts';

/** Counts the reads of a thread from storage. */
export interface ReadCounter {
  readonly readCount: number;
}

const { readsPerSlice, statusesPerSlice } = presentationLimits;

export class Slice {
  private readonly counter: ReadCounter;
  private readsBefore: number;
  private statuses = 0;

  constructor(counter: ReadCounter) {
    this.counter = counter;
    this.readsBefore = counter.readCount;
  }

  /** Counts examined statuses. True when other work should run first; then a new slice begins. */
  isOver(statuses = 1): boolean {
    this.statuses += statuses;
    const { readCount } = this.counter;
    if (readCount - this.readsBefore < readsPerSlice && this.statuses < statusesPerSlice) return false;
    this.readsBefore = readCount;
    this.statuses = 0;
    return true;
  }
}
