/** The conversations of an account. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type PageBounds, rangeOf } from '../../pages.ts';
import {
  type Conversation,
  conversationByLastStatus,
  conversations,
  conversationVersions,
} from './conversations.state.ts';

export function findConversation(reader: Reader, accountId: Id, threadId: Id): Conversation | undefined {
  return reader.get(conversations, [accountId, threadId]);
}

export interface StoredConversation {
  /** Of the last status: by these conversations are listed. */
  readonly id: Id;
  readonly threadId: Id;
  readonly isUnread: boolean;
}

/** By their last statuses, in the order of the bounds; their limit is not looked at. */
export function* conversationsOf(reader: Reader, accountId: Id, bounds: PageBounds): Generator<StoredConversation> {
  for (const { key, value } of reader.range(conversationByLastStatus, [accountId], rangeOf(bounds))) {
    const isUnread = reader.get(conversations, [accountId, value.id])?.isUnread === true;
    yield { id: key[1], threadId: value.id, isUnread };
  }
}

/** The conversation that this status continued last. */
export function conversationOfLastStatus(reader: Reader, accountId: Id, id: Id): StoredConversation | undefined {
  const threadId = reader.get(conversationByLastStatus, [accountId, id])?.id;
  if (threadId === undefined) return undefined;
  return { id, threadId, isUnread: findConversation(reader, accountId, threadId)?.isUnread === true };
}

/** Another one after each change of an account's conversations. */
export function versionOfConversations(reader: Reader, accountId: Id): number {
  return reader.get(conversationVersions, [accountId])?.version ?? 0;
}
