/** Removes a status of an account, and informs everyone on this server who had received it. */
import type { Envelope } from '../../../runtime/contract.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { takeFromConversation } from '../conversations/store-conversation.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import { forgetInteraction } from '../suggestions/note-interaction.ts';
import { replyRemoved } from './replies.ts';
import { factsOf } from './status-facts.ts';
import { statusDeleted } from './statuses.events.ts';
import { type Status, threadOf } from './statuses.records.ts';
import { removeStatus } from './store-status.ts';

export function withdraw(turn: AccountTurn, status: Status): void {
  const parentMessage = withdrawFromAuthor(turn, status);
  if (parentMessage !== undefined) turn.tell(parentMessage);
}

/** Informs everybody except the author of the parent, who may give the reply of the call: that message is returned. */
export function withdrawFromAuthor(turn: AccountTurn, status: Status): Envelope<undefined> | undefined {
  const facts = factsOf(status);
  removeStatus(turn, status, facts);
  if (status.inReplyToAccountId !== undefined) forgetInteraction(turn, status.inReplyToAccountId, status.id);
  turn.emit(statusDeleted, facts);
  tellFollowers(turn, 'gone', facts);
  const conversation = status.visibility === 'direct' && status.limited !== true ? { threadId: threadOf(status) } : {};
  if (conversation.threadId !== undefined) takeFromConversation(turn, conversation.threadId, status.id);
  for (const id of [...status.mentions.map((mention) => mention.id), ...(status.addressed ?? [])])
    turn.tell(Account.dismissStatus.to(id, { statusId: status.id, ...conversation, facts }));
  turn.tell(Account.sweepStatus.to(turn.self.key, { statusId: status.id }));
  return tellParent(turn, status);
}

/** An own parent changes at once: then, and without a parent, undefined. */
export function tellParent(turn: AccountTurn, status: Status): Envelope<undefined> | undefined {
  const { id: replyId, visibility, inReplyToId: statusId, inReplyToAccountId: parentAuthorId } = status;
  if (statusId === undefined || parentAuthorId === undefined) return undefined;
  const removed = { statusId, replyId, visibility };
  if (parentAuthorId !== turn.self.key) return Account.replyRemoved.to(parentAuthorId, removed);
  replyRemoved(turn, removed);
  return undefined;
}
