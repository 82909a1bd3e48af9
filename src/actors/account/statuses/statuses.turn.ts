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
  counter: keyof StatusCounters,
  change: 1 | -1,
): StatusCounters {
  const before = countersOf(turn, statusId);
  const after = { ...before, [counter]: Math.max(0, before[counter] + change) };
  turn.put(statusCounters, [statusId], after);
  return after;
}

/** Stores a status with other fields: none by which it is found or listed, which take an edit. */
export function putStatus(turn: AccountTurn, status: Status): void {
  turn.put(statuses, [status.id], status);
}

/** Removes the entry of a status whose record is lost. */
export function unlistStatus(turn: AccountTurn, statusId: Id): void {
  turn.delete(statusesOfAccount, [turn.self.key, statusId]);
}
