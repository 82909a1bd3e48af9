/** Limits new connections per second: a TLS handshake costs about a millisecond of CPU at either end. */

export class ConnectionBudget {
  private readonly perSecond: number;
  private tokens: number;
  private filledAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
    this.tokens = perSecond;
  }

  /** Takes one connection from the budget; false when none is left for now. */
  take(now: number): boolean {
    if (now > this.filledAt) {
      const gained = ((now - this.filledAt) / 1_000) * this.perSecond;
      this.tokens = Math.min(this.perSecond, this.tokens + gained);
      this.filledAt = now;
    }
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  /** How long until one is available. */
  get waitMilliseconds(): number {
    return Math.max(1, Math.ceil(((1 - this.tokens) / this.perSecond) * 1_000));
  }
}
