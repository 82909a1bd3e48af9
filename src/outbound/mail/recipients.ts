/**
 * Bounds how many mails an address gets in an hour, from whatever they come. Kept in memory: an address is always written
 * to by the same thread, and a start forgets.
 */
import { mailLimits } from './limits.ts';

const hourMilliseconds = 3_600_000;

interface Written {
  readonly since: number;
  count: number;
}

export class Recipients {
  /** By address, those whose hour began first in front. */
  private readonly written = new Map<string, Written>();
  private readonly max: number;

  constructor(max: number = mailLimits.perRecipientAndHourMax) {
    this.max = max;
  }

  /** Counts one mail; false where the address has had as many as it may get. `now`: monotonic. */
  take(email: string, now: number): boolean {
    const address = email.toLowerCase();
    this.forget(now);
    const known = this.written.get(address);
    if (known === undefined) {
      this.written.set(address, { since: now, count: 1 });
      return true;
    }
    known.count += 1;
    return known.count <= this.max;
  }

  private forget(now: number): void {
    for (const [address, { since }] of this.written) {
      if (now - since < hourMilliseconds && this.written.size < mailLimits.recipientsKnownMax) return;
      this.written.delete(address);
    }
  }
}
