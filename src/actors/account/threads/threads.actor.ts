/**
 * Muted threads, private to their account, which gets no notifications from them; threads that become whole later; and who
 * may reply.
 */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { attachReply, moveReplies, moveToThread } from './attach-reply.ts';
import { changeReplyPolicy } from './reply-policy.ts';
import { threadMuted } from './threads.events.ts';
import { threadMessages } from './threads.messages.ts';
import * as state from './threads.state.ts';

function muteThread(turn: AccountTurn, { threadId }: BodyOf<typeof threadMessages.muteThread>): undefined {
  const accountId = turn.self.key;
  if (turn.get(state.mutedThreads, [accountId, threadId]) !== undefined) return;
  turn.put(state.mutedThreads, [accountId, threadId], true);
  turn.emit(threadMuted, { accountId, threadId });
}

function unmuteThread(turn: AccountTurn, { threadId }: BodyOf<typeof threadMessages.unmuteThread>): undefined {
  const accountId = turn.self.key;
  if (turn.get(state.mutedThreads, [accountId, threadId]) === undefined) return;
  turn.delete(state.mutedThreads, [accountId, threadId]);
  turn.emit(threadMuted, { accountId, threadId });
}

export const threadsFeature = feature<AccountTurn>()({
  messages: threadMessages,
  handlers: { muteThread, unmuteThread, attachReply, moveToThread, moveReplies, changeReplyPolicy },
  state: [state],
});
