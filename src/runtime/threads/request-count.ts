/**
 * Counts the requests to another thread that are not answered yet, where nothing else tells how long one would wait: they
 * are answered without a commit, or after asking another server.
 */
import { threadLimits } from '../limits.ts';

export class RequestCount {
  private unanswered = 0;

  asked(): void {
    this.unanswered += 1;
  }

  ended(): void {
    this.unanswered -= 1;
  }

  /** True when another request is refused. */
  get isTooLong(): boolean {
    return this.unanswered >= threadLimits.requestsMax;
  }
}
