/**
 * Where long work makes a pause: when so much was read from storage, or so many statuses were looked at. It counts, and
 * looks at no clock: slices are the same on every machine, and however busy it is.
 */
import { presentationLimits } from './limits.ts';

/** Whoever knows how often its thread has read from storage. */
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

  /** So many statuses more were looked at. True when others are to have their turn, after which a slice begins. */
  isOver(statuses = 1): boolean {
    this.statuses += statuses;
    const { readCount } = this.counter;
    if (readCount - this.readsBefore < readsPerSlice && this.statuses < statusesPerSlice) return false;
    this.readsBefore = readCount;
    this.statuses = 0;
    return true;
  }
}
