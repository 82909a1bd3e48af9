/** What keeps a status of another server here, as far as its author knows. */
import { firstIdAt, type Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { favouritesOfStatus, reblogsOfStatus } from '../interactions/interactions.state.ts';
import { pinOf } from '../pins/pins.state.ts';
import { pollVotes } from '../polls/polls.state.ts';
import { logins } from '../profile/profile.state.ts';
import { quotesOfStatus } from '../quotes/quotes.state.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { replies } from '../statuses/statuses.state.ts';

const none: ReadonlySet<Id> = new Set();
/** A status with more replies and quotes than these goes once some of them have gone. */
const answersReadMax = 200;

/**
 * Whether something here needs it: a reply, a quote, a favourite, a vote, its author's pin, or a reblog that is not older than
 * `before`. `gone`: replies and quotes that go at the same time.
 */
export function isInUse(
  reader: Reader,
  { id, accountId }: Pick<Status, 'id' | 'accountId'>,
  before: number,
  gone = none,
): boolean {
  return (
    isAnswered(reader, replies, id, gone) ||
    isAnswered(reader, quotesOfStatus, id, gone) ||
    hasAny(reader, favouritesOfStatus, id) ||
    hasAny(reader, pollVotes, id) ||
    reader.get(pinOf, [accountId, id]) !== undefined ||
    isRebloggedSince(reader, id, before)
  );
}

/** Whether it names somebody here, or answers or quotes them. */
export function concernsLocals(
  reader: Reader,
  status: Pick<Status, 'mentions' | 'addressed' | 'inReplyToAccountId' | 'quote'>,
): boolean {
  const { mentions, addressed = [], inReplyToAccountId, quote } = status;
  const named = [...mentions.map(({ id }) => id), ...addressed];
  for (const id of [inReplyToAccountId, quote?.accountId]) if (id !== undefined) named.push(id);
  return named.some((id) => reader.get(logins, [id]) !== undefined);
}

function isAnswered(
  reader: Reader,
  answers: Keyspace<[bigint, bigint], unknown>,
  statusId: Id,
  gone: ReadonlySet<Id>,
): boolean {
  let read = 0;
  for (const { key } of reader.range(answers, [statusId], { limit: answersReadMax })) {
    if (!gone.has(key[1])) return true;
    read += 1;
  }
  return read === answersReadMax;
}

function hasAny(reader: Reader, entries: Keyspace<[bigint, bigint], unknown>, statusId: Id): boolean {
  for (const _entry of reader.range(entries, [statusId], { limit: 1 })) return true;
  return false;
}

function isRebloggedSince(reader: Reader, statusId: Id, since: number): boolean {
  for (const { key } of reader.range(reblogsOfStatus, [statusId], { reverse: true, limit: 1 }))
    return key[1] >= firstIdAt(since);
  return false;
}
