/**
 * Bounds how many mails an address gets in an hour, from whatever they come. An address is always written to by the same
 * thread, which counts in memory what it sends; after a start it begins with what the log remembers of the last hour.
 */
import { mailLimits } from './limits.ts';

const hourMilliseconds = 3_600_000;

interface Written {
  readonly since: number;
  count: number;
  optional: number;
}

export interface RecipientLimits {
  readonly max: number;
  /** Of mails that may be switched off. */
  readonly optionalMax: number;
}

const usual: RecipientLimits = {
  max: mailLimits.perRecipientAndHourMax,
  optionalMax: mailLimits.optionalPerRecipientAndHourMax,
};

export class Recipients {
  /** By address, those whose hour began first in front. */
  private readonly written = new Map<string, Written>();
  private readonly limits: RecipientLimits;

  constructor(limits: RecipientLimits = usual) {
    this.limits = limits;
  }

  /** One that was sent before the start; in the order of their times. */
  remember(email: string, at: number, isOptional: boolean): void {
    this.add(email, at, isOptional);
  }

  /** Counts one mail; false where the address has had as many as it may get. `now`: monotonic. */
  take(email: string, now: number, isOptional: boolean): boolean {
    this.forget(now);
    const known = this.written.get(email.toLowerCase());
    if (known !== undefined && known.count >= this.limits.max) return false;
    if (isOptional && known !== undefined && known.optional >= this.limits.optionalMax) return false;
    this.add(email, now, isOptional);
    return true;
  }

  private add(email: string, at: number, isOptional: boolean): void {
    const address = email.toLowerCase();
    let known = this.written.get(address);
    if (known === undefined || at - known.since >= hourMilliseconds) {
      this.written.delete(address);
      known = { since: at, count: 0, optional: 0 };
      this.written.set(address, known);
    }
    known.count += 1;
    if (isOptional) known.optional += 1;
  }

  private forget(now: number): void {
    for (const [address, { since }] of this.written) {
      if (now - since < hourMilliseconds && this.written.size < mailLimits.recipientsKnownMax) return;
      this.written.delete(address);
    }
  }
}
