/**
 * Collections of remote accounts as their servers show them. Items come here verified: nobody's consent is taken on the
 * word of another server. Every message may be repeated; the second time changes nothing.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profiles } from '../profile/profile.state.ts';
import { isLocal, ownDestination, ownProfile, ownTraits, putProfile } from '../profile/profile.turn.ts';
import { fetchCollections } from '../remote/remote.effects.ts';
import { isOvertaken, isWithdrawn } from '../withdrawals/withdrawals.turn.ts';
import type { Found, ReceivedItem } from './collections.messages.ts';
import {
  collectionByUri,
  collectionItemOf,
  collectionItems,
  collections,
  collectionsOfAccount,
} from './collections.state.ts';
import { collectionLimits } from './limits.ts';
import { addItem, dropCollection, itemsIn, notifyMembers, putRemoteCollection, removeItem } from './store-item.ts';

/**
 * Throws forbidden above the bound, and for an account that is suspended here; notFound where the collection was deleted
 * or a newer change came before.
 */
export function receiveCollection(turn: AccountTurn, message: BodyOf<typeof Account.receiveCollection>): Found {
  const { collection: received, itemUris, items, signedAt } = message;
  const accountId = turn.self.key;
  if (isLocal(turn) || ownProfile(turn).suspendedAt !== undefined) throw new Failure('forbidden');
  if (isWithdrawn(turn, received.uri) || isOvertaken(turn, `collection ${received.uri}`, signedAt))
    throw new Failure('notFound');
  const collectionId = turn.get(collectionByUri, [accountId, received.uri])?.id ?? newId(turn, received.uri);
  const before = turn.get(collections, [collectionId]);
  const createdAt = before?.createdAt ?? received.createdAt;
  putRemoteCollection(turn, collectionId, { ...received, accountId, createdAt });
  if (before !== undefined && (before.name !== received.name || before.description !== received.description))
    notifyMembers(turn, collectionId);
  for (const { id, item } of itemsIn(turn, collectionId))
    if (item.uri !== undefined && !itemUris.includes(item.uri)) removeItem(turn, collectionId, id, item);
  for (const item of items) takeItem(turn, collectionId, item);
  return { collectionId };
}

function newId(turn: AccountTurn, uri: string): Id {
  const limit = collectionLimits.perRemoteAccountMax;
  const kept = [...turn.range(collectionsOfAccount, [turn.self.key], { limit })];
  if (kept.length === limit) throw new Failure('forbidden');
  const collectionId = turn.nextId();
  turn.put(collectionsOfAccount, [turn.self.key, collectionId], true);
  turn.put(collectionByUri, [turn.self.key, uri], { id: collectionId });
  return collectionId;
}

/** A local account is in it only by its own consent, given earlier. */
function takeItem(turn: AccountTurn, collectionId: Id, received: ReceivedItem): void {
  const { accountId, isLocal: isOfLocal, uri, authorizationUri } = received;
  const itemId = turn.get(collectionItemOf, [collectionId, accountId])?.id;
  const known = itemId === undefined ? undefined : turn.get(collectionItems, [collectionId, itemId]);
  if (itemId !== undefined && known !== undefined) {
    if (known.uri === uri && known.authorizationUri === authorizationUri) return;
    turn.put(collectionItems, [collectionId, itemId], { ...known, uri, authorizationUri });
  }
  if (isOfLocal || authorizationUri === undefined) return;
  if (itemId === undefined && itemsIn(turn, collectionId).length >= collectionLimits.itemsPerRemoteCollectionMax)
    return;
  const addedId = itemId ?? addItem(turn, collectionId, { ...received, state: 'accepted' });
  const question = { collectionId, itemId: addedId, by: turn.self.key, authorizationUri };
  turn.tell(Account.feature.to(accountId, question));
}

/** Does nothing for an unknown collection. */
export function receiveCollectionItem(
  turn: AccountTurn,
  { collectionUri, item, signedAt }: BodyOf<typeof Account.receiveCollectionItem>,
): undefined {
  if (isOvertaken(turn, `item ${item.uri}`, signedAt)) return;
  const collection = turn.get(collectionByUri, [turn.self.key, collectionUri]);
  if (collection !== undefined) takeItem(turn, collection.id, item);
}

export function receiveUncollected(
  turn: AccountTurn,
  { collectionUri, itemUri, signedAt }: BodyOf<typeof Account.receiveUncollected>,
): undefined {
  const changed = itemUri === undefined ? `collection ${collectionUri}` : `item ${itemUri}`;
  if (isOvertaken(turn, changed, signedAt)) return;
  const collection = turn.get(collectionByUri, [turn.self.key, collectionUri]);
  if (collection === undefined) return;
  if (itemUri === undefined) dropCollection(turn, collection.id);
  else
    for (const { id, item } of itemsIn(turn, collection.id))
      if (item.uri === itemUri) removeItem(turn, collection.id, id, item);
}

/** The local account decides. Throws notFound for somebody else's collection, forbidden where it is full. */
export function receiveFeatureRequest(
  turn: AccountTurn,
  { collectionId, accountId, requestUri }: BodyOf<typeof Account.receiveFeatureRequest>,
): DelegatedReply {
  const collection = turn.get(collections, [collectionId]);
  if (collection?.accountId !== turn.self.key || collection.uri === undefined) throw new Failure('notFound');
  let itemId = turn.get(collectionItemOf, [collectionId, accountId])?.id;
  if (itemId === undefined) {
    if (itemsIn(turn, collectionId).length >= collectionLimits.itemsPerRemoteCollectionMax)
      throw new Failure('forbidden');
    itemId = addItem(turn, collectionId, { accountId, isLocal: true, state: 'pending', createdAt: turn.now });
  }
  const request = { uri: requestUri, collectionUri: collection.uri, destination: ownDestination(turn) };
  return turn.delegateReply(
    Account.feature.to(accountId, { collectionId, itemId, by: turn.self.key, request, sender: ownTraits(turn) }),
  );
}

/**
 * At most once within this age, however often the collections are read; a server that fails is not asked again sooner.
 */
export function refreshCollections(
  turn: AccountTurn,
  { ageMilliseconds }: BodyOf<typeof Account.refreshCollections>,
): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile?.remote?.featuredCollections === undefined || profile.suspendedAt !== undefined) return;
  if ((profile.collectionsAskedAt ?? 0) > turn.now - ageMilliseconds) return;
  putProfile(turn, { ...profile, collectionsAskedAt: turn.now });
  turn.effect(fetchCollections, { uri: profile.remote.uri }, Account.refreshed);
}

/** Removes collections of a deleted account, one at a time. True when something was removed and there may be more. */
export function sweepCollections(turn: AccountTurn): boolean {
  for (const { key } of turn.range(collectionsOfAccount, [turn.self.key], { limit: 1 })) {
    dropCollection(turn, key[1]);
    return true;
  }
  return false;
}
