/** What turns do about the consent to a reply: its author asks, and its end is told. */
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { RelationshipHooks } from '../relationships/relationship-hooks.ts';
import type { StatusHooks } from '../statuses/status-hooks.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { askAuthor } from './asking.ts';
import { forgetDecision, refuseBlocked, replyRequestRemoved } from './deciding.ts';
import { replyDecisions } from './reply-requests.state.ts';

export const replyRequestHooks: StatusHooks = {
  held: askAuthor,
  published(turn, status) {
    const { id: replyId, inReplyToId: statusId, inReplyToAccountId: authorId, replyAuthorization } = status;
    if (statusId === undefined || authorId === undefined) return undefined;
    if (replyAuthorization === undefined) return isProofWanted(status) ? askAuthor(turn, status, undefined) : undefined;
    const authorized = { statusId, replyId, by: turn.self.key, authorizationUri: replyAuthorization };
    return Account.replyAuthorized.to(authorId, authorized);
  },
  removed: tellRemoved,
  sweeps: [
    {
      number: 8,
      entries: replyDecisions,
      swept(turn, statusId, replyId) {
        const decision = turn.get(replyDecisions, [statusId, replyId])!;
        forgetDecision(turn, replyId, decision);
        if (decision.state === 'pending')
          turn.tell(Account.replyDecided.to(decision.accountId, { statusId, replyId, isAccepted: false }));
      },
    },
  ],
};

/** Of another server, which did not ask: it, and others, would not learn that the author agrees. */
function isProofWanted({ needsConsent, uri }: Status): boolean {
  return needsConsent === true && uri !== undefined;
}

/** Whoever was asked, or has agreed, keeps nothing of it. */
function tellRemoved(turn: AccountTurn, status: Status): void {
  const { id: replyId, inReplyToId: statusId, inReplyToAccountId: authorId, heldReply, replyAuthorization } = status;
  if (statusId === undefined || authorId === undefined) return;
  if (heldReply === undefined && replyAuthorization === undefined) return;
  if (authorId === turn.self.key) replyRequestRemoved(turn, { statusId, replyId });
  else turn.tell(Account.replyRequestRemoved.to(authorId, { statusId, replyId }));
}

export const replyRequestBlocks: RelationshipHooks = { blocked: refuseBlocked };
