/** The clocks of the machine, a wall clock that is set otherwise, and a watch over the wall clock. */
import { threadLimits } from '../limits.ts';
import type { Clock } from '../ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  // Every thread of the process reads the same value, unlike that of performance.now(), which counts from the start of
  // its thread. As cheap as Date.now() (measured: 45 and 40 ns); the form with a bigint costs half as much again.
  monotonic() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
};

/** How many seconds a wall clock is ahead of that of the machine: shared by the threads that go by it. */
export type ClockShift = Int32Array;

/** From `startsAt` on (milliseconds since 1970; within the first second of it). */
export function createClockShift(startsAt: number): ClockShift {
  const shift: ClockShift = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  shift[0] = Math.ceil((startsAt - systemClock.now()) / 1_000);
  return shift;
}

/** That of the machine without a shift. */
export function clockOf(shift: ClockShift | undefined): Clock {
  if (shift === undefined) return systemClock;
  return { now: () => systemClock.now() + shift[0]! * 1_000, monotonic: () => systemClock.monotonic() };
}

/** Calls back soon after the wall clock was set, and where it goes slower or faster. Does not keep the thread alive. */
export class WallClockWatch {
  private readonly clock: Clock;
  private readonly timer: NodeJS.Timeout;
  /** How far the wall clock is ahead of the monotonic clock. */
  private ahead: number;

  constructor(clock: Clock, clockSet: () => void) {
    this.clock = clock;
    this.ahead = this.aheadNow();
    this.timer = setInterval(() => {
      const ahead = this.aheadNow();
      if (Math.abs(ahead - this.ahead) < threadLimits.clockSetMilliseconds) return;
      this.ahead = ahead;
      clockSet();
    }, threadLimits.clockCheckMilliseconds);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private aheadNow(): number {
    return this.clock.now() - this.clock.monotonic();
  }
}
