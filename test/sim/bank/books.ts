/** Reads the journals of all accounts from the disks. */
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import { type Entry, journal, ledgers } from './account.state.ts';

export interface Booking extends Entry {
  readonly account: bigint;
  readonly position: number;
}

export interface Books {
  readonly accounts: readonly bigint[];
  /** Every entry, those of one account together and in order. */
  readonly bookings: readonly Booking[];
  of(account: bigint): readonly Booking[];
}

/** Reads all journals. A string is a complaint: a journal with a gap, or a ledger that disagrees with its journal. */
export function readBooks(disks: readonly Reader[], homeOf: (account: bigint) => number, accounts: readonly bigint[]) {
  const byAccount = new Map<bigint, Booking[]>();
  for (const account of accounts) {
    const disk = disks[homeOf(account)]!;
    const bookings = [...disk.range(journal, [account])].map(
      ({ key, value }): Booking => ({ ...value, account, position: key[1] }),
    );
    byAccount.set(account, bookings);
    const gap = bookings.findIndex(({ position }, index) => position !== index + 1);
    if (gap >= 0) return `the journal of ${account} has no entry ${gap + 1}`;
    const ledger = disk.get(ledgers, [account]) ?? { position: 0, balance: 0 };
    const balance = bookings.reduce((sum, { amount }) => sum + amount, 0);
    if (ledger.position !== bookings.length || ledger.balance !== balance)
      return `the ledger of ${account} says ${ledger.position} and ${ledger.balance}, its journal ${bookings.length} and ${balance}`;
  }
  const books: Books = {
    accounts,
    bookings: [...byAccount.values()].flat(),
    of: (account) => byAccount.get(account) ?? [],
  };
  return books;
}
