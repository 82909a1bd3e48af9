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
  /** The id of the last status; conversations are listed by it. */
  readonly id: Id;
  readonly threadId: Id;
  readonly isUnread: boolean;
}

/** Ordered by their last statuses, within the bounds; the limit of the bounds is ignored. */
export function* conversationsOf(reader: Reader, accountId: Id, bounds: PageBounds): Generator<StoredConversation> {
  for (const { key, value } of reader.range(conversationByLastStatus, [accountId], rangeOf(bounds))) {
    const isUnread = reader.get(conversations, [accountId, value.id])?.isUnread === true;
    yield { id: key[1], threadId: value.id, isUnread };
  }
}

/** The conversation whose last status this is. */
export function conversationOfLastStatus(reader: Reader, accountId: Id, id: Id): StoredConversation | undefined {
  const threadId = reader.get(conversationByLastStatus, [accountId, id])?.id;
  if (threadId === undefined) return undefined;
  return { id, threadId, isUnread: findConversation(reader, accountId, threadId)?.isUnread === true };
}

/** The keyspaces of what `versionOfConversations` reads. */
export const conversationVersionSpaces = [conversationVersions] as const;

/** Changes with every change of an account's conversations. */
export function versionOfConversations(reader: Reader, accountId: Id): number {
  return reader.get(conversationVersions, [accountId])?.version ?? 0;
}
