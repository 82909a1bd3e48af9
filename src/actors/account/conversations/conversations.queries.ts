/** The conversations of an account. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { type Conversation, conversationByLastStatus, conversations } from './conversations.state.ts';

export function findConversation(reader: Reader, accountId: Id, threadId: Id): Conversation | undefined {
  return reader.get(conversations, [accountId, threadId]);
}

/** The conversation that this status continued last. */
export function conversationOfLastStatus(reader: Reader, accountId: Id, statusId: Id): Id | undefined {
  return reader.get(conversationByLastStatus, [accountId, statusId])?.id;
}

/** The one that was continued last comes first; the cursors are ids of last statuses. */
export function chooseConversations<Item>(
  reader: Reader,
  accountId: Id,
  bounds: PageBounds,
  show: (threadId: Id) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(conversationByLastStatus, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => show(value.id),
  );
}
