/**
 * Counts the streams of one gateway per account and per address. The bounds are far above what clients need: a program
 * that opens streams without end is refused before it uses memory.
 */
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { addressLimitKey } from '../../services/address-limit-key.ts';
import { streamLimits } from './limits.ts';
import type { Connection } from './subscriber.ts';

export class ConnectionQuota {
  private readonly countsAddresses: boolean;
  private readonly accounts = new Map<Id, number>();
  private readonly addresses = new Map<string, number>();

  /** `countsAddresses` is false where nothing else is limited by address either. */
  constructor(countsAddresses: boolean) {
    this.countsAddresses = countsAddresses;
  }

  /**
   * The address for the connection, undefined where addresses are not counted. Throws Failure tooManyRequests when the
   * account or the address has reached its bound.
   */
  admit(accountId: Id, ip: string): string | undefined {
    const address = this.countsAddresses ? addressLimitKey(ip) : undefined;
    const ofAccount = this.accounts.get(accountId) ?? 0;
    const ofAddress = address === undefined ? 0 : (this.addresses.get(address) ?? 0);
    if (ofAccount >= streamLimits.streamsPerAccountMax || ofAddress >= streamLimits.streamsPerAddressMax)
      throw new Failure('tooManyRequests');
    return address;
  }

  add({ grant, address }: Connection): void {
    change(this.accounts, grant.accountId, 1);
    if (address !== undefined) change(this.addresses, address, 1);
  }

  remove({ grant, address }: Connection): void {
    change(this.accounts, grant.accountId, -1);
    if (address !== undefined) change(this.addresses, address, -1);
  }
}

function change<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
