/** Marks a status as sensitive, as if its author had edited it: other servers get the edit of a local one. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { reachesFollowers } from '../../policy/visibility.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isLocal } from '../profile/profile.turn.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import { timeOfEdit } from '../statuses/edit-status.ts';
import { reviseStatus } from '../statuses/revise-status.ts';
import { ownStatus } from '../statuses/statuses.turn.ts';
import type { moderationMessages } from './moderation.messages.ts';

/** Does nothing for one without media (behaviour of the Mastodon API). Throws notFound for any but an own status. */
export function markSensitive(
  turn: AccountTurn,
  { statusId, destinations }: BodyOf<typeof moderationMessages.markSensitive>,
): undefined {
  const status = ownStatus(turn, statusId);
  if (status.sensitive || status.attachments === undefined || status.attachments.length === 0) return;
  reviseStatus(turn, status, { ...status, sensitive: true, editedAt: timeOfEdit(status, turn.now) });
  if (!isLocal(turn)) return;
  deliverStatus(
    turn,
    status,
    { kind: 'update', actorId: turn.self.key, activityId: turn.nextId(), statusId },
    { toFollowers: reachesFollowers(status), destinations },
  );
}
