/** Who may reply to a status: its author changes it. Earlier replies stay. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Destination } from '../../intents.ts';
import { replyApprovalOf, replyPolicyIn } from '../../policy/replies.ts';
import { reachesFollowers } from '../../policy/visibility.ts';
import type { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusEdited } from '../statuses/statuses.events.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { ownStatus, putStatus } from '../statuses/statuses.turn.ts';

/** Throws notFound for any but an own status with a text. */
export function changeReplyPolicy(turn: AccountTurn, message: BodyOf<typeof Account.changeReplyPolicy>): undefined {
  const { statusId, policy, destinations } = message;
  const status = ownStatus(turn, statusId);
  if (status.reblogOfId !== undefined) throw new Failure('notFound');
  const replyApproval = replyApprovalOf(policy, status.visibility);
  if (replyPolicyIn(replyApproval) === replyPolicyIn(status.replyApproval)) return;
  putStatus(turn, { ...status, replyApproval });
  tellChanged(turn, status, destinations);
}

/** Which is not an edit. */
function tellChanged(turn: AccountTurn, status: Status, destinations: readonly Destination[] = []): void {
  const facts = factsOf(status);
  turn.emit(statusEdited, facts);
  tellFollowers(turn, 'revised', facts, status.mentions);
  deliverStatus(
    turn,
    status,
    { kind: 'update', actorId: turn.self.key, activityId: turn.nextId(), statusId: status.id },
    { toFollowers: reachesFollowers(status), destinations },
  );
}
