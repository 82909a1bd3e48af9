/** Reads the votes of accounts and the totals of polls. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { PollTally } from './polls.records.ts';
import { pollTallies, pollVoteOf } from './polls.state.ts';

/** The totals; undefined for a status without a poll. */
export function tallyOf(reader: Reader, statusId: Id): PollTally | undefined {
  return reader.get(pollTallies, [statusId]);
}

/** Shared, so that it is the same object for all polls without a vote. */
export const noChoices: readonly number[] = [];

/**
 * The choices of an account in the polls of many statuses, in the order of the ids. One read for accounts that never
 * voted.
 */
export function choicesAmong(reader: Reader, accountId: Id, statusIds: readonly Id[]): readonly (readonly number[])[] {
  const [first] = reader.range(pollVoteOf, [accountId], { limit: 1 });
  if (first === undefined) return statusIds.map(() => noChoices);
  return statusIds.map((statusId) => reader.get(pollVoteOf, [accountId, statusId])?.choices ?? noChoices);
}
