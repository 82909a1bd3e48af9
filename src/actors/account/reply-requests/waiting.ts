/** Replies on the account that wrote them: they wait until the author of what they answer agrees. */
import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownDestination, ownTraits } from '../profile/profile.turn.ts';
import { refuseStatus, releaseStatus } from '../statuses/release-status.ts';
import { parentDeleted } from '../statuses/replies.ts';
import type { PublishedStatus } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { putStatus } from '../statuses/statuses.turn.ts';

export function replyDecided(turn: AccountTurn, message: BodyOf<typeof Account.replyDecided>): PublishedStatus {
  const { statusId, replyId, isAccepted, destinations } = message;
  const status = turn.get(statuses, [replyId]);
  const isMeant = status?.accountId === turn.self.key && status.inReplyToId === statusId;
  if (isMeant && status.heldReply?.state === 'pending') decide(turn, status, isAccepted, { destinations });
  return { statusId: replyId };
}

function decide(
  turn: AccountTurn,
  status: Status,
  isAccepted: boolean,
  consent: Parameters<typeof releaseStatus>[2],
): void {
  if (isAccepted) releaseStatus(turn, status, consent);
  else refuseStatus(turn, status);
}

/** Throws notFound where the actor was not asked. Refusing what was accepted takes the reply out of the thread. */
export function receiveReplyAnswer(turn: AccountTurn, message: BodyOf<typeof Account.receiveReplyAnswer>): undefined {
  const { replyId, by, isAccepted, authorizationUri, destinations } = message;
  const status = turn.get(statuses, [replyId]);
  if (status?.accountId !== turn.self.key || status.inReplyToAccountId !== by) throw new Failure('notFound');
  const { heldReply, inReplyToId: statusId, replyAuthorization } = status;
  if (heldReply?.state === 'pending')
    decide(turn, status, isAccepted, { replyAuthorization: authorizationUri, destinations });
  else if (!isAccepted && replyAuthorization !== undefined && statusId !== undefined) {
    turn.tell(Account.replyRemoved.to(by, { statusId, replyId, visibility: status.visibility }));
    parentDeleted(turn, { statusId, replyId });
  }
}

/**
 * Another server's author has said about a reply of another server whether it agrees: then its proof is known, with which it
 * can be taken back. Throws notFound where the actor was not answered.
 */
export function replyJudged(turn: AccountTurn, message: BodyOf<typeof Account.replyJudged>): undefined {
  const { replyId, by, isAccepted, authorizationUri } = message;
  const status = turn.get(statuses, [replyId]);
  if (status?.accountId !== turn.self.key || status.inReplyToAccountId !== by) throw new Failure('notFound');
  const { inReplyToId: statusId, replyAuthorization, visibility } = status;
  if (statusId === undefined) return;
  if (!isAccepted) {
    turn.tell(Account.replyRemoved.to(by, { statusId, replyId, visibility }));
    if (replyAuthorization !== undefined) turn.tell(Account.replyRequestRemoved.to(by, { statusId, replyId }));
    parentDeleted(turn, { statusId, replyId });
  } else if (replyAuthorization === undefined && authorizationUri !== undefined) {
    putStatus(turn, { ...status, replyAuthorization: authorizationUri });
    turn.tell(Account.replyAuthorized.to(by, { statusId, replyId, by: turn.self.key, authorizationUri }));
  }
}

/** Runs on a remote account; the author decides. Throws notFound where the status answers something else. */
export function receiveReplyRequest(
  turn: AccountTurn,
  message: BodyOf<typeof Account.receiveReplyRequest>,
): DelegatedReply {
  const { statusId, authorId, replyId, replyUri, requestUri } = message;
  const question = { destination: ownDestination(turn), replyUri, isRequest: true, requestUri };
  const { key: by } = turn.self;
  if (replyId === undefined)
    return turn.delegateReply(Account.refuseReplyRequest.to(authorId, { statusId, by, question }));
  const status = turn.get(statuses, [replyId]);
  if (status?.accountId !== by || status.inReplyToId !== statusId) throw new Failure('notFound');
  const visibility = status.heldReply?.visibility ?? status.visibility;
  const isPublished = status.heldReply === undefined;
  const asked = { statusId, replyId, by, visibility, sender: ownTraits(turn), question, isPublished };
  return turn.delegateReply(Account.replyRequested.to(authorId, asked));
}
