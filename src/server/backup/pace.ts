/** How fast a backup reads: slow enough for the server beside it. */
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../runtime/threads/clock.ts';

/** A pause is worth it from here on. */
const pauseMillisecondsMin = 5;

export class Pace {
  private readonly bytesPerSecond: number;
  private readonly signal: AbortSignal | undefined;
  /** When everything so far may have been read. */
  private due = systemClock.monotonic();

  constructor(bytesPerSecond: number, signal?: AbortSignal) {
    this.bytesPerSecond = bytesPerSecond;
    this.signal = signal;
  }

  /** Settles when more may be read. Rejects with the reason of the signal. */
  async after(bytes: number): Promise<void> {
    this.signal?.throwIfAborted();
    const now = systemClock.monotonic();
    // Time that was not used is not made up for.
    this.due = Math.max(this.due, now - pauseMillisecondsMin) + (bytes / this.bytesPerSecond) * 1_000;
    if (this.due - now >= pauseMillisecondsMin) await setTimeout(this.due - now, undefined, { signal: this.signal });
  }
}
