/** A reply was stored that waits, or of which others want a proof: whoever decides about it is asked. */
import type { Envelope } from '../../../runtime/contract.ts';
import { releasedFormOf } from '../../policy/held-replies.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownDestination, ownTraits } from '../profile/profile.turn.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import type { PublishedStatus, PublishStatus } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';

/** A local author is asked by message; the server of a remote one with a ReplyRequest, or with the reply itself. */
export function askAuthor(
  turn: AccountTurn,
  status: Status,
  message: PublishStatus | undefined,
): Envelope<PublishedStatus> | undefined {
  const { id: replyId, uri, inReplyToId: statusId, inReplyToAccountId: authorId } = status;
  if (statusId === undefined || authorId === undefined) return undefined;
  const remote = message?.asksToReply?.to;
  if (remote === undefined) {
    const question = uri === undefined ? {} : { question: { destination: ownDestination(turn), replyUri: uri } };
    const { visibility } = releasedFormOf(status);
    const isPublished = status.heldReply === undefined;
    const said = { visibility, sender: ownTraits(turn), ...(isPublished && { isPublished }) };
    const asked = { statusId, replyId, by: turn.self.key, ...said, ...question };
    return Account.replyRequested.to(authorId, asked);
  }
  const said = { actorId: turn.self.key, statusId: replyId };
  deliverTo(turn, remote.destination, () =>
    remote.byCreate === true
      ? { kind: 'create', activityId: replyId, ...said }
      : { kind: 'replyRequest', activityId: turn.nextId(), ...said, parentUri: remote.uri },
  );
  return undefined;
}
