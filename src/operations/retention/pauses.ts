/** Lets long work of a thread take a quarter of its time, in slices of four milliseconds. */
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../runtime/ports.ts';

const sliceMilliseconds = 4;
const pausesPerSlice = 3;
/** A slice that waited for a partition is no reason to rest for long. */
const pauseMillisecondsMax = 100;

export class Pauses {
  private readonly clock: Pick<Clock, 'monotonic'>;
  private readonly rest: () => void;
  private begun: number;

  /** `rest`: called before each pause. */
  constructor(clock: Pick<Clock, 'monotonic'>, rest: () => void = () => undefined) {
    this.clock = clock;
    this.rest = rest;
    this.begun = clock.monotonic();
  }

  /** To be awaited about every millisecond, with nothing open. */
  async ifDue(): Promise<void> {
    const taken = this.clock.monotonic() - this.begun;
    if (taken < sliceMilliseconds) return;
    this.rest();
    // In the process of a command nothing else keeps it alive.
    await setTimeout(Math.min(taken * pausesPerSlice, pauseMillisecondsMax));
    this.begun = this.clock.monotonic();
  }
}
