/** One search of an account at a time: whoever sends many waits for their own, and others do not. */
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { searchLimits } from './limits.ts';

export class OneAtATime {
  private readonly monotonic: () => number;
  private readonly latest = new Map<Id, Promise<unknown>>();

  constructor(monotonic: () => number) {
    this.monotonic = monotonic;
  }

  /** Begins at once where the account has no other under way. Throws Failure expired after too long a wait. */
  async run<Result>(accountId: Id, act: () => Promise<Result> | Result): Promise<Result> {
    const begun = this.monotonic();
    const before = this.latest.get(accountId);
    const result = (async () => {
      if (before === undefined) return act();
      await before;
      if (this.monotonic() - begun > searchLimits.waitMilliseconds) throw new Failure('expired');
      return act();
    })();
    const ended = result.then(ignore, ignore);
    this.latest.set(accountId, ended);
    try {
      return await result;
    } finally {
      if (this.latest.get(accountId) === ended) this.latest.delete(accountId);
    }
  }
}

function ignore(): void {
  // The one that waits does not care how the one before it ended.
}
