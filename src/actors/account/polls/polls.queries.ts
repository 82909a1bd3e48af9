/** What accounts have voted. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { PollTally } from './polls.records.ts';
import { pollTallies, pollVoteOf } from './polls.state.ts';

/** What was counted; undefined for a status without a poll. */
export function tallyOf(reader: Reader, statusId: Id): PollTally | undefined {
  return reader.get(pollTallies, [statusId]);
}

/** One for all, so that it is the same object wherever nobody has voted. */
const noChoices: readonly number[] = [];

/** What the account has chosen in the polls of many statuses, in the order of the ids. Who never votes asks once. */
export function choicesAmong(reader: Reader, accountId: Id, statusIds: readonly Id[]): readonly (readonly number[])[] {
  const [first] = reader.range(pollVoteOf, [accountId], { limit: 1 });
  if (first === undefined) return statusIds.map(() => noChoices);
  return statusIds.map((statusId) => reader.get(pollVoteOf, [accountId, statusId])?.choices ?? noChoices);
}
