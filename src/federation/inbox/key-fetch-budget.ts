/**
 * Limits how many unknown keys this server fetches within a window. The host of the key is charged, and its limit grows
 * with each key that verified a request: a viral post may bring thousands of unknown actors of one host, and a provider
 * may send for a thousand hosts from one address. A client's address is charged only for failed verifications.
 */
import { addressLimitKey } from '../../services/address-limit-key.ts';
import { activityLimits } from '../limits.ts';

interface HostAccount {
  /** Requested keys that have not verified a request (yet). */
  open: number;
  /** Keys that have, in this window and, halved with each, in earlier ones. */
  fitted: number;
}

export class KeyFetchBudget {
  private readonly monotonic: () => number;
  private hosts = new Map<string, HostAccount>();
  private readonly failures = new Map<string, number>();
  private windowEnd = 0;

  constructor(monotonic: () => number) {
    this.monotonic = monotonic;
  }

  /** Counts one for the host; false when the host, or the client's address, has used up its share. */
  take(host: string, address: string): boolean {
    this.beginWindow();
    if ((this.failures.get(addressLimitKey(address)) ?? 0) >= activityLimits.keyFailuresPerAddressMax) return false;
    const account = this.hosts.get(host) ?? { open: 0, fitted: 0 };
    if (account.open >= allowedOpen(account)) return false;
    account.open += 1;
    this.hosts.set(host, account);
    return true;
  }

  /** A key of the host verified a request. */
  fitted(host: string): void {
    const account = this.hosts.get(host);
    if (account === undefined) return;
    account.open = Math.max(0, account.open - 1);
    account.fitted += 1;
  }

  failed(address: string): void {
    this.beginWindow();
    const key = addressLimitKey(address);
    this.failures.set(key, (this.failures.get(key) ?? 0) + 1);
  }

  private beginWindow(): void {
    const { keyFetchWindowMilliseconds, keyFetchHostsMax } = activityLimits;
    const now = this.monotonic();
    const isFull = this.hosts.size >= keyFetchHostsMax || this.failures.size >= keyFetchHostsMax;
    if (now < this.windowEnd && !isFull) return;
    this.windowEnd = now + keyFetchWindowMilliseconds;
    this.failures.clear();
    const hosts = new Map<string, HostAccount>();
    for (const [host, { fitted }] of this.hosts) if (fitted > 1) hosts.set(host, { open: 0, fitted: fitted >> 1 });
    this.hosts = hosts.size < keyFetchHostsMax / 2 ? hosts : new Map();
  }
}

function allowedOpen({ fitted }: HostAccount): number {
  const { keyFetchesPerHostMin, keyFetchesPerFittedKey, keyFetchesPerHostMax } = activityLimits;
  return Math.min(keyFetchesPerHostMin + fitted * keyFetchesPerFittedKey, keyFetchesPerHostMax);
}
