/** Simulated time for lanes. Nothing runs on its own: `settle` runs all pending work, `advance` moves time. */
import type { LanePorts } from '../../../src/outbound/lanes/ports.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export interface SimulatedClock {
  now(): number;
  advance(milliseconds: number): void;
}

export class SimulatedTime implements Pick<LanePorts, 'defer' | 'schedule' | 'random'> {
  private readonly clock: SimulatedClock;
  private readonly settleOthers: () => void;
  private timers: Timer[] = [];
  private readonly deferred: (() => void)[] = [];
  private lastRandom = 0;

  /** `settleOthers` runs the pending work of whatever stands behind the lanes. */
  constructor(clock: SimulatedClock, settleOthers: () => void = () => undefined) {
    this.clock = clock;
    this.settleOthers = settleOthers;
  }

  random(): number {
    this.lastRandom = (this.lastRandom + 0.37) % 1;
    return this.lastRandom;
  }

  defer(callback: () => void): void {
    this.deferred.push(callback);
  }

  schedule(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.clock.now() + milliseconds, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      this.settleOthers();
      await new Promise<void>((resolve) => setImmediate(resolve));
      for (const run of this.deferred.splice(0)) {
        quiet = 0;
        run();
      }
    }
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    await this.settle();
    for (let next = this.dueBefore(end); next !== undefined; next = this.dueBefore(end)) {
      const due = next;
      this.timers = this.timers.filter((timer) => timer !== due);
      this.clock.advance(Math.max(0, due.at - this.clock.now()));
      due.run();
      await this.settle();
    }
    this.clock.advance(end - this.clock.now());
    await this.settle();
  }

  private dueBefore(end: number): Timer | undefined {
    const next = this.timers.reduce<Timer | undefined>(
      (one, other) => (one && one.at <= other.at ? one : other),
      undefined,
    );
    return next !== undefined && next.at <= end ? next : undefined;
  }
}
