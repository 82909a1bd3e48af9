/** Reads which replies wait for the consent of an account, and which have it. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { replies, statuses } from '../statuses/statuses.state.ts';
import type { ReplyRequest } from './reply-requests.records.ts';
import { replyRequests } from './reply-requests.state.ts';

/** A page of the replies that wait, newest first. `show` returns undefined for those not shown. */
export function replyRequestsOf<Item>(
  reader: Reader,
  accountId: Id,
  bounds: PageBounds,
  show: (replyId: Id, request: ReplyRequest) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(replyRequests, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => show(key[1], value),
  );
}

export function findReplyRequest(reader: Reader, accountId: Id, replyId: Id): ReplyRequest | undefined {
  return reader.get(replyRequests, [accountId, replyId]);
}

export function hasReplyRequests(reader: Reader, accountId: Id): boolean {
  return [...reader.range(replyRequests, [accountId], { limit: 1 })].length > 0;
}

/** The status of a local author that this reply answers with consent; undefined without. */
export function authorizedReply(reader: Reader, authorId: Id, replyId: Id): Id | undefined {
  const reply = reader.get(statuses, [replyId]);
  if (reply?.inReplyToId === undefined || reply.inReplyToAccountId !== authorId) return undefined;
  return reader.get(replies, [reply.inReplyToId, replyId]) === undefined ? undefined : reply.inReplyToId;
}
