/** The library of an account: the statuses that it can search although their authors do not want to be found by all. */
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { bookmarkOf } from './bookmarks/bookmarks.state.ts';
import { favouriteOf, reblogOf } from './interactions/interactions.state.ts';
import { pollVoteOf } from './polls/polls.state.ts';
import type { Status } from './statuses/statuses.records.ts';

/** By account and status: an entry in any of them is an interest in the status. */
export const interests = [favouriteOf, reblogOf, bookmarkOf, pollVoteOf] as const;

/** The account has favourited, reblogged or bookmarked it, or voted in it. */
export function isInterested(reader: Reader, accountId: Id, statusId: Id): boolean {
  return interests.some((space) => reader.get<[bigint, bigint], unknown>(space, [accountId, statusId]) !== undefined);
}

/** The account has written it, is mentioned in it, was addressed by it, or is interested in it. */
export function isInLibrary(reader: Reader, accountId: Id, status: Status): boolean {
  return (
    status.accountId === accountId ||
    status.mentions.some(({ id }) => id === accountId) ||
    status.addressed?.includes(accountId) === true ||
    isInterested(reader, accountId, status.id)
  );
}
