/**
 * How long a request to another thread would wait there, by Little's law: what is unanswered, divided by the rate at which
 * answers come. It counts the port, the mailbox and the commit alike, and knows of them without asking.
 */
import { threadLimits } from '../limits.ts';

/** Taken for granted until answers have come faster, or a full queue has shown that they come slower. */
const startingRatePerSecond = 1_000;
/** How much of the rate is that of the last interval. */
const lastIntervalShare = 0.5;

export class QueueEstimate {
  private ratePerSecond = startingRatePerSecond;
  private unanswered = 0;
  private answered = 0;
  /** The fewest that were unanswered at any time of this interval. */
  private fewest = 0;

  asked(): void {
    this.unanswered += 1;
  }

  /** False: nobody answers it any more. */
  ended(isAnswered: boolean): void {
    this.unanswered -= 1;
    if (isAnswered) this.answered += 1;
    if (this.unanswered < this.fewest) this.fewest = this.unanswered;
  }

  /** An interval has passed. Only a queue that was long throughout shows that the other end can do no more. */
  measure(milliseconds: number): void {
    const rate = (this.answered * 1_000) / Math.max(1, milliseconds);
    const wasBusy = this.fewest >= threadLimits.callsAlwaysAdmitted;
    if (wasBusy || rate > this.ratePerSecond) this.ratePerSecond += (rate - this.ratePerSecond) * lastIntervalShare;
    this.answered = 0;
    this.fewest = this.unanswered;
  }

  /** True when one more would wait for longer than is promised. */
  get isTooLong(): boolean {
    if (this.unanswered < threadLimits.callsAlwaysAdmitted) return false;
    return this.unanswered > (this.ratePerSecond * threadLimits.callWaitMillisecondsMax) / 1_000;
  }
}
