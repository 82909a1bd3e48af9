/** Adds a direct status to the conversations of its recipients and its author, and removes it from them. */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { conversationContinued } from './conversations.events.ts';
import {
  type Conversation,
  conversationByLastStatus,
  conversations,
  conversationVersions,
  statusesOfConversation,
} from './conversations.state.ts';

/** The author's own status is never unread. */
export function continueConversation(turn: AccountTurn, threadId: Id, statusId: Id, isUnread: boolean): void {
  const accountId = turn.self.key;
  if (turn.get(statusesOfConversation, [accountId, threadId, statusId]) !== undefined) return;
  turn.put(statusesOfConversation, [accountId, threadId, statusId], true);
  const before = turn.get(conversations, [accountId, threadId]);
  // A status may arrive after one that was written later.
  const lastStatusId = before !== undefined && before.lastStatusId > statusId ? before.lastStatusId : statusId;
  replace(turn, threadId, before, { lastStatusId, isUnread });
  turn.emit(conversationContinued, { accountId, threadId });
}

/** The status was deleted: the one before it becomes the last; without any, the conversation is deleted. */
export function takeFromConversation(turn: AccountTurn, threadId: Id, statusId: Id): void {
  const accountId = turn.self.key;
  if (turn.get(statusesOfConversation, [accountId, threadId, statusId]) === undefined) return;
  turn.delete(statusesOfConversation, [accountId, threadId, statusId]);
  const before = turn.get(conversations, [accountId, threadId]);
  if (before?.lastStatusId !== statusId) return;
  const [last] = turn.range(statusesOfConversation, [accountId, threadId], { reverse: true, limit: 1 });
  replace(turn, threadId, before, last && { ...before, lastStatusId: last.key[2] });
}

export function countChange(turn: AccountTurn): void {
  const { version } = turn.get(conversationVersions, [turn.self.key]) ?? { version: 0 };
  turn.put(conversationVersions, [turn.self.key], { version: version + 1 });
}

export function replace(
  turn: AccountTurn,
  threadId: Id,
  before: Conversation | undefined,
  after: Conversation | undefined,
): void {
  const accountId = turn.self.key;
  countChange(turn);
  if (before !== undefined) turn.delete(conversationByLastStatus, [accountId, before.lastStatusId]);
  if (after === undefined) turn.delete(conversations, [accountId, threadId]);
  else {
    turn.put(conversations, [accountId, threadId], after);
    turn.put(conversationByLastStatus, [accountId, after.lastStatusId], { id: threadId });
  }
}
