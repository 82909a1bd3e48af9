/**
 * Limits how often the key of a known account is fetched again because a signature did not verify: a few times at once,
 * then once a minute. A forger cannot block a genuine change of the key: the forged requests fetch the new one.
 */
import { activityLimits } from '../limits.ts';

export class KeyRefreshes {
  private readonly monotonic: () => number;
  /** When the owner's allowance will be full again. */
  private readonly wholeAt = new Map<string, number>();

  constructor(monotonic: () => number) {
    this.monotonic = monotonic;
  }

  /** Counts one; false when it exceeds the limit. */
  take(ownerUri: string): boolean {
    const { keyRefreshesAtOnce, keyRefreshMilliseconds, keyRefreshesMax } = activityLimits;
    const now = this.monotonic();
    const wholeAt = Math.max(this.wholeAt.get(ownerUri) ?? 0, now) + keyRefreshMilliseconds;
    if (wholeAt - now > keyRefreshesAtOnce * keyRefreshMilliseconds) return false;
    if (this.wholeAt.size >= keyRefreshesMax) this.wholeAt.clear();
    this.wholeAt.set(ownerUri, wholeAt);
    return true;
  }
}
