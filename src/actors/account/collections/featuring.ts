/**
 * An account that is added to a collection: it agrees by its policy, and may leave (FEP-7aa9). For a remote account its
 * server has decided. Every message may be repeated; the second time changes nothing.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { featurePermission } from '../../policy/featuring.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isBlockedEitherWay } from '../interactions/interaction.ts';
import { addNotification, takeBack } from '../notifications/notify.ts';
import { profiles } from '../profile/profile.state.ts';
import { isLocal } from '../profile/profile.turn.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import { blocks, followers, following } from '../relationships/relationships.state.ts';
import type { Found } from './collections.messages.ts';
import type { Featuring } from './collections.records.ts';
import { featuringByAuthorization, featurings } from './collections.state.ts';
import { collectionLimits } from './limits.ts';

export function feature(turn: AccountTurn, message: BodyOf<typeof Account.feature>): Found | DelegatedReply {
  const { collectionId, itemId, by, request, authorizationUri, sender } = message;
  if (!isLocal(turn)) {
    if (authorizationUri !== undefined) put(turn, collectionId, { ownerId: by, itemId, authorizationUri });
    return { collectionId };
  }
  const known = turn.get(featurings, [turn.self.key, collectionId]);
  const isAccepted = known === undefined ? mayBeFeatured(turn, by) : known.isRevoked !== true;
  if (isAccepted) {
    put(turn, collectionId, { ownerId: by, itemId });
    if (known === undefined) addNotification(turn, { type: 'added_to_collection', fromId: by, collectionId, sender });
  }
  deliverTo(turn, request?.destination, () => ({
    kind: isAccepted ? 'acceptFeature' : 'rejectFeature',
    actorId: turn.self.key,
    activityId: turn.nextId(),
    targetId: by,
    collectionId,
    collectionUri: request!.collectionUri,
    requestUri: request!.uri,
  }));
  const decision = isAccepted ? 'accepted' : 'rejected';
  return turn.delegateReply(Account.decideFeaturing.to(by, { collectionId, itemId, decision }));
}

function mayBeFeatured(turn: AccountTurn, accountId: Id): boolean {
  const self = turn.self.key;
  const profile = turn.get(profiles, [self]);
  if (profile === undefined || profile.suspendedAt !== undefined || isBlockedEitherWay(turn, accountId)) return false;
  const permission = featurePermission(profile, {
    accountId,
    follows: () => turn.get(followers, [self, accountId]) !== undefined,
    isFollowedBy: () => turn.get(following, [self, accountId])?.state === 'accepted',
  });
  return permission === 'automatic';
}

function put(turn: AccountTurn, collectionId: Id, featuring: Featuring): void {
  const before = turn.get(featurings, [turn.self.key, collectionId]);
  forgetAuthorization(turn, before);
  turn.put(featurings, [turn.self.key, collectionId], featuring);
  const { authorizationUri } = featuring;
  if (authorizationUri !== undefined)
    turn.put(featuringByAuthorization, [turn.self.key, authorizationUri], { id: collectionId });
}

function forgetAuthorization(turn: AccountTurn, featuring: Featuring | undefined): void {
  if (featuring?.authorizationUri !== undefined)
    turn.delete(featuringByAuthorization, [turn.self.key, featuring.authorizationUri]);
}

function remove(turn: AccountTurn, collectionId: Id, featuring: Featuring): void {
  forgetAuthorization(turn, featuring);
  turn.delete(featurings, [turn.self.key, collectionId]);
}

/** An account that has left is not added again; it leaves the collections of accounts that it blocks for good. */
export function unfeature(
  turn: AccountTurn,
  { collectionId, itemId, by, byDestination }: BodyOf<typeof Account.unfeature>,
): undefined {
  const featuring = turn.get(featurings, [turn.self.key, collectionId]);
  if (featuring?.itemId !== itemId || featuring.isRevoked === true) return;
  if (isLocal(turn) && turn.get(blocks, [turn.self.key, by]) !== undefined) {
    withdraw(turn, collectionId, featuring, byDestination);
    return;
  }
  remove(turn, collectionId, featuring);
  takeBack(turn, { type: 'added_to_collection', fromId: by, collectionId });
}

/** Throws notFound where the account is not in the collection. Replies when it has left. */
export function revokeFeaturing(turn: AccountTurn, message: BodyOf<typeof Account.revokeFeaturing>): DelegatedReply {
  const { collectionId, byDestination } = message;
  const featuring = turn.get(featurings, [turn.self.key, collectionId]);
  if (featuring === undefined || featuring.isRevoked === true) throw new Failure('notFound');
  withdraw(turn, collectionId, featuring, byDestination);
  const { ownerId, itemId } = featuring;
  const decision = { collectionId, itemId, decision: 'revoked' } as const;
  return turn.delegateReply(Account.decideFeaturing.to(ownerId, decision));
}

/** The authorization ends; a remote curator's server is informed. */
function withdraw(turn: AccountTurn, collectionId: Id, featuring: Featuring, byDestination?: Destination): void {
  turn.put(featurings, [turn.self.key, collectionId], { ...featuring, isRevoked: true });
  takeBack(turn, { type: 'added_to_collection', fromId: featuring.ownerId, collectionId });
  deliverTo(turn, byDestination, () => ({
    kind: 'revokeFeaturing',
    actorId: turn.self.key,
    activityId: turn.nextId(),
    collectionId,
  }));
}

/** The server of this remote account deleted the object at this address: true where it was an authorization. */
export function deleteFeatureAuthorization(turn: AccountTurn, uri: string): boolean {
  const authorized = turn.get(featuringByAuthorization, [turn.self.key, uri]);
  if (authorized === undefined) return false;
  leave(turn, authorized.id);
  return true;
}

function leave(turn: AccountTurn, collectionId: Id): void {
  const featuring = turn.get(featurings, [turn.self.key, collectionId])!;
  remove(turn, collectionId, featuring);
  const { ownerId, itemId, isRevoked } = featuring;
  if (isRevoked !== true) turn.tell(Account.decideFeaturing.to(ownerId, { collectionId, itemId, decision: 'revoked' }));
}

/** Removes a deleted remote account from all collections. True when something was removed and there may be more. */
export function sweepFeaturings(turn: AccountTurn): boolean {
  const slice = [...turn.range(featurings, [turn.self.key], { limit: collectionLimits.sweptPerTurn })];
  for (const { key } of slice) leave(turn, key[1]);
  return slice.length > 0;
}
