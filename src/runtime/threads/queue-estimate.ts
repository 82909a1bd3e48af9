/**
 * Estimates how long a request to another thread would wait, by Little's law: unanswered requests divided by the rate
 * of answers. This covers the port, the mailbox and the commit alike, without asking the other thread.
 */
import { threadLimits } from '../limits.ts';

/** Assumed until answers come faster, or a full queue shows that they are slower. */
const startingRatePerSecond = 1_000;
/** The weight of the last interval in the rate. */
const lastIntervalShare = 0.5;

export class QueueEstimate {
  private ratePerSecond = startingRatePerSecond;
  private unanswered = 0;
  private answered = 0;
  /** The lowest number of unanswered requests in this interval. */
  private fewest = 0;

  asked(): void {
    this.unanswered += 1;
  }

  /** `isAnswered` is false for a request that will never be answered. */
  ended(isAnswered: boolean): void {
    this.unanswered -= 1;
    if (isAnswered) this.answered += 1;
    if (this.unanswered < this.fewest) this.fewest = this.unanswered;
  }

  /**
   * An interval has passed. The rate is lowered only if the queue was long throughout: otherwise the other thread might
   * answer faster than it was asked.
   */
  measure(milliseconds: number): void {
    const rate = (this.answered * 1_000) / Math.max(1, milliseconds);
    const wasBusy = this.fewest >= threadLimits.callsAlwaysAdmitted;
    if (wasBusy || rate > this.ratePerSecond) this.ratePerSecond += (rate - this.ratePerSecond) * lastIntervalShare;
    this.answered = 0;
    this.fewest = this.unanswered;
  }

  /** How long another request would wait; 0 for so few that it does not matter. */
  get waitMilliseconds(): number {
    if (this.unanswered < threadLimits.callsAlwaysAdmitted) return 0;
    return (this.unanswered * 1_000) / this.ratePerSecond;
  }

  /** True when another request would wait longer than allowed. */
  get isTooLong(): boolean {
    return this.waitMilliseconds > threadLimits.callWaitMillisecondsMax;
  }
}
