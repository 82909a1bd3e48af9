/** How many unknown keys a client address may make this server fetch within a window. */
import { addressLimitKey } from '../../services/address-limit-key.ts';
import { activityLimits } from '../limits.ts';

export class FetchBudget {
  private readonly now: () => number;
  private readonly counts = new Map<string, number>();
  private windowEnd = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Counts one; false when it is one too many. */
  take(address: string): boolean {
    const now = this.now();
    if (now >= this.windowEnd || this.counts.size >= activityLimits.keyFetchAddressesMax) {
      this.counts.clear();
      this.windowEnd = now + activityLimits.keyFetchWindowMilliseconds;
    }
    const key = addressLimitKey(address);
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count <= activityLimits.keyFetchesPerAddressMax;
  }
}
