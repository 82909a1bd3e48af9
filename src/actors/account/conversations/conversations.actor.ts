/**
 * An account's conversations: marking as read or unread, and removing until a new status comes (behaviour of the
 * Mastodon API).
 */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { conversationMessages } from './conversations.messages.ts';
import * as state from './conversations.state.ts';
import { countChange, replace } from './store-conversation.ts';

const sweptPerTurn = 500;

/** Throws notFound. */
function own(turn: AccountTurn, threadId: Id): state.Conversation {
  const conversation = turn.get(state.conversations, [turn.self.key, threadId]);
  if (conversation === undefined) throw new Failure('notFound');
  return conversation;
}

function mark(turn: AccountTurn, threadId: Id, isUnread: boolean): undefined {
  const conversation = own(turn, threadId);
  turn.put(state.conversations, [turn.self.key, threadId], { ...conversation, isUnread });
  countChange(turn);
}

function readConversation(
  turn: AccountTurn,
  { threadId }: BodyOf<typeof conversationMessages.readConversation>,
): undefined {
  return mark(turn, threadId, false);
}

function unreadConversation(
  turn: AccountTurn,
  { threadId }: BodyOf<typeof conversationMessages.unreadConversation>,
): undefined {
  return mark(turn, threadId, true);
}

function removeConversation(
  turn: AccountTurn,
  { threadId }: BodyOf<typeof conversationMessages.removeConversation>,
): undefined {
  const conversation = own(turn, threadId);
  replace(turn, threadId, conversation, undefined);
  turn.tell(Account.sweepConversation.to(turn.self.key, { threadId, beforeId: conversation.lastStatusId + 1n }));
}

/** An earlier status may have arrived since: then the conversation has begun anew, and ends with that status. */
function sweepConversation(
  turn: AccountTurn,
  { threadId, beforeId, slice: before = 0 }: BodyOf<typeof conversationMessages.sweepConversation>,
): undefined {
  const last = turn.get(state.conversations, [turn.self.key, threadId])?.lastStatusId;
  const slice = [
    ...turn.range(state.statusesOfConversation, [turn.self.key, threadId], { until: beforeId, limit: sweptPerTurn }),
  ];
  for (const { key } of slice) if (key[2] !== last) turn.delete(state.statusesOfConversation, key);
  if (slice.length < sweptPerTurn) return;
  turn.tell(Account.sweepConversation.to(turn.self.key, { threadId, beforeId, slice: before + 1 }));
}

export const conversationsFeature = feature<AccountTurn>()({
  messages: conversationMessages,
  handlers: { readConversation, unreadConversation, removeConversation, sweepConversation },
  state: [state],
  rules: state.conversationRules,
});
