/** Conditions on the books at the end of a run. Each check returns a complaint, or undefined. */

import { deadLetters, events, meta } from '../../../src/runtime/storage/machine.ts';
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Town } from '../workload.ts';
import type { Receipt } from './account.messages.ts';
import { minted, sent, tallies } from './account.state.ts';
import type { Booking, Books } from './books.ts';
import type { History, Operation } from './history.ts';

export interface Findings {
  readonly books: Books;
  readonly history: History;
  readonly disks: readonly Reader[];
  readonly homeOf: (account: bigint) => number;
  /** See `Town`. */
  readonly hasShown: Town['hasShown'];
}

/** The entries that each kind of operation causes, besides its own. */
const consequences: Readonly<Record<string, string>> = {
  transfer: 'credit',
  remind: 'reminded',
  fetch: 'fetched',
};

function receiptOf(operation: Operation): Receipt | undefined {
  if (operation.result?.ok !== true || operation.what === 'read') return undefined;
  const value = operation.result.value as Receipt | { receipt: Receipt };
  return 'receipt' in value ? value.receipt : value;
}

function groupByOperation(books: Books): Map<number, Booking[]> {
  const groups = new Map<number, Booking[]>();
  for (const booking of books.bookings) {
    const group = groups.get(booking.operation);
    if (group === undefined) groups.set(booking.operation, [booking]);
    else group.push(booking);
  }
  return groups;
}

/** No acknowledged write is lost, and refused operations left no trace. */
export function acknowledgedWrites({ books, history }: Findings): string | undefined {
  const groups = groupByOperation(books);
  for (const operation of history.operations.values()) {
    const receipt = receiptOf(operation);
    if (receipt !== undefined) {
      const booking = books.of(receipt.account)[receipt.position - 1];
      if (booking?.operation !== operation.number)
        return `operation ${operation.number} (${operation.what}) was acknowledged and is lost`;
    } else if (operation.result?.ok === false && operation.result.failure.code !== 'outcomeUnknown') {
      if (groups.has(operation.number))
        return `operation ${operation.number} (${operation.what}) was refused and has left a trace`;
    }
  }
  return undefined;
}

/** Every operation took effect at most once, and each of its consequences exactly once. */
export function onceEach({ books, history }: Findings): string | undefined {
  for (const [number, bookings] of groupByOperation(books)) {
    const operation = history.operations.get(number);
    if (operation === undefined) return `nobody asked for operation ${number}`;
    const counts = new Map<string, number>();
    for (const { what } of bookings) counts.set(what, (counts.get(what) ?? 0) + 1);
    const expected = new Map([[operation.what, operation.what === 'ask' ? operation.way.length : 1]]);
    const follows = consequences[operation.what];
    if (follows !== undefined) expected.set(follows, 1);
    if (operation.what === 'flood') expected.set('credit', bookings.find(({ what }) => what === 'flood')?.value ?? 0);
    for (const what of new Set([...counts.keys(), ...expected.keys()])) {
      if (counts.get(what) !== expected.get(what))
        return `operation ${number} (${operation.what}) has ${counts.get(what) ?? 0} entries "${what}" instead of ${expected.get(what) ?? 0}`;
    }
    if (operation.what === 'ask' && !sameSet(bookings, operation.way)) return `operation ${number} did not go its way`;
  }
  return undefined;
}

function sameSet(bookings: readonly Booking[], accounts: readonly bigint[]): boolean {
  const seen = bookings.map(({ account }) => account).sort();
  return [...accounts].sort().every((account, index) => seen[index] === account);
}

/** Messages from one account to another arrive in the order of sending, none missing. */
export function orderOfPairs({ books, disks, homeOf }: Findings): string | undefined {
  for (const to of books.accounts) {
    const received = new Map<bigint, number>();
    for (const { what, other, sequence } of books.of(to)) {
      if (what !== 'credit') continue;
      const last = received.get(other!) ?? 0;
      if (sequence !== last + 1) return `account ${to} got message ${sequence} of ${other} after message ${last}`;
      received.set(other!, sequence);
    }
    for (const from of books.accounts) {
      const count = disks[homeOf(from)]!.get(sent, [from, to]) ?? 0;
      if (count !== (received.get(from) ?? 0))
        return `account ${from} sent ${count} messages to ${to}, which got ${received.get(from) ?? 0}`;
    }
  }
  return undefined;
}

/** Money is neither created nor lost. Deposits are counted in the vaults. */
export function conservation({ books, disks }: Findings): string | undefined {
  const deposits = books.bookings.filter(({ what }) => what === 'deposit');
  const deposited = deposits.reduce((sum, { amount }) => sum + amount, 0);
  const held = books.bookings.reduce((sum, { amount }) => sum + amount, 0);
  if (held !== deposited) return `${deposited} was deposited, the accounts hold ${held}`;
  const counted = disks.reduce((sum, disk) => sum + (disk.get(tallies, [0]) ?? 0), 0);
  return counted === deposits.length ? undefined : `${deposits.length} deposits, ${counted} counted by the vaults`;
}

/**
 * Timers are not early, and answers of effects are those that were given. A message whose time had come may wait, and the
 * wall clock be set back meanwhile.
 */
export function timersAndEffects({ books, history, hasShown, homeOf }: Findings): string | undefined {
  for (const { what, operation, value, dueAfter, account } of books.bookings) {
    if (dueAfter !== undefined && !hasShown(homeOf(account), dueAfter, history.operations.get(operation)!.begunAt))
      return `the timer of operation ${operation} rang before ${new Date(dueAfter).toISOString()}`;
    if (what === 'fetched' && !history.lookups.get(operation)?.includes(value!))
      return `operation ${operation} was answered ${value}, which nobody said`;
  }
  const asked = new Set(books.bookings.filter(({ what }) => what === 'fetch').map(({ operation }) => operation));
  for (const operation of history.lookups.keys())
    if (!asked.has(operation)) return `the effect of operation ${operation} ran, its turn did not take effect`;
  return undefined;
}

/** No id is given twice. */
export function uniqueIds({ books, history, disks }: Findings): string | undefined {
  const kept = disks.reduce((sum, disk) => sum + [...disk.range(minted, [])].length, 0);
  const booked = books.bookings.reduce((sum, { what, value }) => sum + (what === 'mint' ? value! : 0), 0);
  if (kept !== booked) return `${booked} ids were minted, ${kept} are kept`;
  const seen = new Set<bigint>();
  for (const { what, result } of history.operations.values()) {
    if (what !== 'mint' || result?.ok !== true) continue;
    for (const id of (result.value as { ids: bigint[] }).ids) {
      if (seen.has(id)) return `the id ${id} was given twice`;
      seen.add(id);
    }
  }
  return undefined;
}

/**
 * The event logs contain every booking once, those of an account in order. A wall clock that was set ahead makes the first
 * ones old: they may have been removed.
 */
export function eventLogs({ books, disks, homeOf }: Findings): string | undefined {
  const told = new Map<bigint, number>();
  const isTrimmed = (disk: Reader) => (disk.get(meta, [0])?.eventsTrimmedCommit ?? 0) > 0;
  for (const disk of disks) {
    for (const { value } of disk.range(events, [])) {
      for (const { body } of value.events) {
        const { account, position } = body as Receipt;
        const last = told.get(account) ?? (isTrimmed(disk) ? position - 1 : 0);
        if (position !== last + 1) return `the event log tells of entry ${position} of ${account} after entry ${last}`;
        told.set(account, position);
      }
    }
  }
  for (const account of books.accounts) {
    const length = books.of(account).length;
    if (!told.has(account) && isTrimmed(disks[homeOf(account)]!)) continue;
    if ((told.get(account) ?? 0) !== length)
      return `account ${account} has ${length} entries, the event log tells of ${told.get(account) ?? 0}`;
  }
  return undefined;
}

/** Each message that was made to fail is a dead letter once, in the database or in the archive file. */
export function fallen({ books, history, disks }: Findings): string | undefined {
  const messages = new Map(history.archived);
  for (const [partition, disk] of disks.entries())
    for (const { key, value } of disk.range(deadLetters, [])) messages.set(`${partition}-${key[0]}`, value.message);
  const letters = [...messages.values()].map((message) => (message[3] as { operation: number }).operation);
  const trips = books.bookings.filter(({ what }) => what === 'trip').map(({ operation }) => operation);
  const same = letters.length === trips.length && new Set(letters).size === letters.length;
  return same && trips.every((trip) => letters.includes(trip))
    ? undefined
    : `trips ${trips.join()} led to the dead letters ${letters.join()}`;
}

export const checks = {
  acknowledgedWrites,
  onceEach,
  orderOfPairs,
  conservation,
  timersAndEffects,
  uniqueIds,
  eventLogs,
  fallen,
};
