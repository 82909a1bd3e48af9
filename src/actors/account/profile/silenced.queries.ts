/** Accounts that count in no statistics of tags (specification 4.9), looked up once each. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { profiles } from './profile.state.ts';

export class SilencedAccounts {
  private readonly reader: Reader;
  private readonly known = new Map<Id, boolean>();

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Limited or suspended by staff, or not there any more. */
  has(accountId: Id): boolean {
    const before = this.known.get(accountId);
    if (before !== undefined) return before;
    const profile = this.reader.get(profiles, [accountId]);
    const is = profile === undefined || profile.limited || profile.suspendedAt !== undefined;
    this.known.set(accountId, is);
    return is;
  }
}
