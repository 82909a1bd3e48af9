/**
 * Favourites (specification 6.2: Like, Undo of Like). The author of the status decides and counts; the favouriting
 * account stores its own list and notifies the author's server. Both may be the same account.
 *
 * INVARIANT a favourite that only one side has stored is completed or removed by the next message: repeating repairs.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { SenderTraits } from '../../policy/notification-policy.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { addNotification, takeBack } from '../notifications/notify.ts';
import { ownDestination } from '../profile/profile.turn.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { forgetInteraction, noteInteraction } from '../suggestions/note-interaction.ts';
import { takeAwaited } from '../withdrawals/withdrawals.turn.ts';
import { countInteraction, statusFor } from './interaction.ts';
import { viewerStateChanged } from './interactions.events.ts';
import { favouriteOf, favouriteOfStatusBy, favourites, favouritesOfStatus } from './interactions.state.ts';
import { forgetFavourite } from './interactions.turn.ts';

/** Runs on the author. Throws notFound for a status that the account may not see. */
export function favourite(turn: AccountTurn, message: BodyOf<typeof Account.favourite>): DelegatedReply {
  const { statusId, by, uri, sender } = message;
  const status = statusFor(turn, statusId, by);
  const known = turn.get(favouriteOfStatusBy, [statusId, by]);
  return turn.delegateReply(
    Account.favouriteKept.to(by, {
      statusId,
      authorId: turn.self.key,
      authorDestination: ownDestination(turn),
      statusUri: status.uri,
      favouriteId: known?.id ?? addFavourite(turn, status, by, sender),
      uri,
    }),
  );
}

function addFavourite(turn: AccountTurn, status: Status, by: Id, sender: SenderTraits | undefined): Id {
  const { id: statusId, threadId } = status;
  const favouriteId = turn.nextId();
  turn.put(favouritesOfStatus, [statusId, favouriteId], { id: by });
  turn.put(favouriteOfStatusBy, [statusId, by], { id: favouriteId });
  countInteraction(turn, status, 'favourites', 1);
  addNotification(turn, { type: 'favourite', fromId: by, statusId, threadId, sender });
  return favouriteId;
}

/** Runs on the favouriting account. */
export function favouriteKept(turn: AccountTurn, message: BodyOf<typeof Account.favouriteKept>): undefined {
  const { statusId, statusUri, authorId, authorDestination, favouriteId, uri } = message;
  const self = turn.self.key;
  const kept = turn.get(favouriteOf, [self, statusId]);
  if (kept?.id === favouriteId) return;
  if (uri !== undefined && takeAwaited(turn, uri)) {
    turn.tell(Account.unfavourited.to(authorId, { statusId, by: self, favouriteId }));
    return;
  }
  if (kept !== undefined) turn.delete(favourites, [self, kept.id]);
  turn.put(favourites, [self, favouriteId], { id: statusId, authorId, uri });
  turn.put(favouriteOf, [self, statusId], { id: favouriteId });
  noteInteraction(turn, authorId, 'favourite', favouriteId);
  turn.emit(viewerStateChanged, { accountId: self, statusId });
  deliverTo(turn, authorDestination, () => ({
    kind: 'like',
    actorId: self,
    activityId: favouriteId,
    statusId,
    statusUri,
    favouriteId,
    authorId,
  }));
}

/** Runs on the favouriting account. Repeating removes any remaining half. */
export function unfavourite(
  turn: AccountTurn,
  message: BodyOf<typeof Account.unfavourite>,
): DelegatedReply | undefined {
  const { statusId, statusUri, authorId, authorDestination, favouriteId: removedId } = message;
  const self = turn.self.key;
  const favouriteId = turn.get(favouriteOf, [self, statusId])?.id;
  if (removedId !== undefined && removedId !== favouriteId) return undefined;
  if (favouriteId !== undefined) {
    forgetFavourite(turn, statusId, favouriteId);
    forgetInteraction(turn, authorId, favouriteId);
    turn.emit(viewerStateChanged, { accountId: self, statusId });
    deliverTo(turn, authorDestination, () => ({
      kind: 'undoLike',
      actorId: self,
      activityId: turn.nextId(),
      statusId,
      statusUri,
      favouriteId,
      authorId,
    }));
  }
  if (removedId !== undefined) return undefined;
  return turn.delegateReply(Account.unfavourited.to(authorId, { statusId, by: self, favouriteId }));
}

/** Runs on the author. */
export function unfavourited(turn: AccountTurn, message: BodyOf<typeof Account.unfavourited>): undefined {
  const { statusId, by } = message;
  const known = turn.get(favouriteOfStatusBy, [statusId, by]);
  const status = turn.get(statuses, [statusId]);
  if (known === undefined || status === undefined) return;
  turn.delete(favouriteOfStatusBy, [statusId, by]);
  turn.delete(favouritesOfStatus, [statusId, known.id]);
  countInteraction(turn, status, 'favourites', -1);
  takeBack(turn, { type: 'favourite', fromId: by, statusId });
  // A `favouriteKept` may be on its way, the first or a repetition: this arrives behind it.
  turn.tell(
    Account.unfavourite.to(by, {
      statusId,
      statusUri: status.uri,
      authorId: turn.self.key,
      authorDestination: ownDestination(turn),
      favouriteId: known.id,
    }),
  );
}
