/**
 * Keeps the index of statuses that trend: in the turns that count favourites and reblogs, change a status, or remove it.
 * Most statuses never get enough interactions, and cost one comparison each time.
 */
import { type Id, timeOfId } from '../../../runtime/ids.ts';
import { isNearRanks, mayAuthorTrend, mayStatusTrend, rankMin, rankOf } from '../../policy/trends.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profiles } from '../profile/profile.state.ts';
import { rankedStatuses, ranksOfStatuses } from './ranks.state.ts';
import { countersOf } from './statuses.queries.ts';
import type { Status } from './statuses.records.ts';

/** Entries that have faded and are removed with each one that is written. */
const fadedPerWrite = 2;

/** After a change of the status, or of its counters. */
export function rankStatus(turn: AccountTurn, status: Status, counters = countersOf(turn, status.id)): void {
  if (!isNearRanks(counters)) return;
  const before = turn.get(ranksOfStatuses, [status.id])?.rank;
  const counted = rankOf(counters, timeOfId(status.id));
  const rank = counted !== undefined && isRanked(turn, status, counted) ? counted : undefined;
  if (rank === before) return;
  if (before !== undefined) remove(turn, before, status.id);
  if (rank === undefined) return;
  removeFaded(turn);
  turn.put(rankedStatuses, [rank, status.id], { accountId: status.accountId, language: status.language });
  turn.put(ranksOfStatuses, [status.id], { rank });
}

function isRanked(turn: AccountTurn, status: Status, rank: number): boolean {
  if (rank < rankMin(turn.now) || !mayStatusTrend(status)) return false;
  const author = turn.get(profiles, [turn.self.key]);
  return author !== undefined && mayAuthorTrend(author);
}

/** The status trends no more. */
export function unrank(turn: AccountTurn, statusId: Id): void {
  const known = turn.get(ranksOfStatuses, [statusId]);
  if (known !== undefined) remove(turn, known.rank, statusId);
}

function remove(turn: AccountTurn, rank: number, statusId: Id): void {
  turn.delete(rankedStatuses, [rank, statusId]);
  turn.delete(ranksOfStatuses, [statusId]);
}

function removeFaded(turn: AccountTurn): void {
  const faded = [...turn.range(rankedStatuses, [], { until: rankMin(turn.now), limit: fadedPerWrite })];
  for (const { key } of faded) remove(turn, ...key);
}
