/** What turns of other features do with the statuses of their account. */
import { Failure } from '../../../runtime/errors.ts';
import { type Id, slotOfId } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { countersOf } from './statuses.queries.ts';
import type { Status, StatusCounters } from './statuses.records.ts';
import { statusCounters, statuses, statusesOfAccount } from './statuses.state.ts';

/** A status of this account. Throws notFound for any other. */
export function ownStatus(turn: AccountTurn, statusId: Id): Status {
  // Statuses of an account are in its slot.
  const status = slotOfId(statusId) === slotOfId(turn.self.key) ? turn.get(statuses, [statusId]) : undefined;
  if (status === undefined || status.accountId !== turn.self.key) throw new Failure('notFound');
  return status;
}

/** Returns the counters after the change. */
export function countStatus(
  turn: AccountTurn,
  statusId: Id,
  counter: 'favourites' | 'reblogs' | 'replies' | 'quotes',
  change: 1 | -1,
): StatusCounters {
  const before = countersOf(turn, statusId);
  const after = { ...before, [counter]: Math.max(0, before[counter] + change) };
  turn.put(statusCounters, [statusId], after);
  return after;
}

/**
 * What the server of a remote status says of its totals. Returns whether it has changed anything: what is said less often
 * than it is known here counts as nothing more.
 */
export function countElsewhere(
  turn: AccountTurn,
  statusId: Id,
  { favourites, reblogs }: { readonly favourites?: number | undefined; readonly reblogs?: number | undefined },
): boolean {
  const before = countersOf(turn, statusId);
  const after = {
    ...before,
    favouritesElsewhere: beyond(favourites, before.favourites) ?? before.favouritesElsewhere,
    reblogsElsewhere: beyond(reblogs, before.reblogs) ?? before.reblogsElsewhere,
  };
  const isSame =
    (after.favouritesElsewhere ?? 0) === (before.favouritesElsewhere ?? 0) &&
    (after.reblogsElsewhere ?? 0) === (before.reblogsElsewhere ?? 0);
  if (!isSame) turn.put(statusCounters, [statusId], after);
  return !isSame;
}

function beyond(said: number | undefined, known: number): number | undefined {
  return said === undefined ? undefined : Math.max(0, said - known);
}

/** Stores a status with other fields: none by which it is found or listed, which take an edit. */
export function putStatus(turn: AccountTurn, status: Status): void {
  turn.put(statuses, [status.id], status);
}

/** Removes the entry of a status whose record is lost. */
export function unlistStatus(turn: AccountTurn, statusId: Id): void {
  turn.delete(statusesOfAccount, [turn.self.key, statusId]);
}
