/**
 * Changes of a local account to its collections (FEP-7aa9; behaviour of the Mastodon API). Candidates of this server
 * are asked one after the other, and the decision of the last one gives the reply; other servers are asked and answer
 * later.
 */

import { isDeepStrictEqual } from 'node:util';
import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import { type Id, slotOfId } from '../../../runtime/ids.ts';
import type { Destination, Intent } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isLocal, ownProfile, ownTraits } from '../profile/profile.turn.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import { deliver, distinctDestinations } from '../relationships/follower-distribution.ts';
import type { Candidate, Found } from './collections.messages.ts';
import type { Collection, CollectionItem } from './collections.records.ts';
import { collectionItemOf, collectionItems, collections, collectionsOfAccount } from './collections.state.ts';
import { collectionLimits } from './limits.ts';
import { addItem, dropCollection, itemsIn, notifyMembers, removeItem } from './store-item.ts';

/** Throws validation above the number of collections or of accounts in one. */
export function createCollection(
  turn: AccountTurn,
  { candidates, ...written }: BodyOf<typeof Account.createCollection>,
): Found | DelegatedReply {
  ownProfile(turn);
  const accountId = turn.self.key;
  const { perLocalAccountMax, itemsPerLocalCollectionMax } = collectionLimits;
  const kept = [...turn.range(collectionsOfAccount, [accountId], { limit: perLocalAccountMax })];
  if (kept.length === perLocalAccountMax)
    throw validationFailure('You have reached the maximum number of collections', { reason: 'tooManyCollections' });
  if (candidates.length > itemsPerLocalCollectionMax) throw tooManyItems();
  const collectionId = turn.nextId();
  const collection = { ...written, accountId, createdAt: turn.now, updatedAt: turn.now };
  turn.put(collections, [collectionId], collection);
  turn.put(collectionsOfAccount, [accountId, collectionId], true);
  for (const candidate of candidates) propose(turn, collectionId, candidate);
  tell(turn, collection, { kind: 'addCollection', collectionId });
  return askNext(turn, collectionId);
}

function tooManyItems(): Failure {
  return validationFailure(
    `Collection items are too many (maximum is ${collectionLimits.itemsPerLocalCollectionMax})`,
    { reason: 'collectionFull', limit: collectionLimits.itemsPerLocalCollectionMax },
  );
}

/** Throws validation for an account that is in it already, and above the bound. */
export function addToCollection(
  turn: AccountTurn,
  { collectionId, candidate }: BodyOf<typeof Account.addToCollection>,
): Found | DelegatedReply {
  ownCollection(turn, collectionId);
  if (turn.get(collectionItemOf, [collectionId, candidate.accountId]) !== undefined)
    throw validationFailure('Account has already been taken', { reason: 'alreadyInCollection' });
  if (itemsIn(turn, collectionId).length >= collectionLimits.itemsPerLocalCollectionMax) throw tooManyItems();
  propose(turn, collectionId, candidate);
  return askNext(turn, collectionId);
}

function propose(turn: AccountTurn, collectionId: Id, { accountId, destination }: Candidate): void {
  if (turn.get(collectionItemOf, [collectionId, accountId]) !== undefined) return;
  const item = { accountId, isLocal: destination === undefined, state: 'pending', createdAt: turn.now } as const;
  const itemId = addItem(turn, collectionId, destination === undefined ? item : { ...item, destination });
  deliverTo(turn, destination, () => ({
    kind: 'featureRequest',
    actorId: turn.self.key,
    activityId: turn.nextId(),
    targetId: accountId,
    collectionId,
    itemId,
  }));
}

/** Asks the next local account that has not decided. */
function askNext(turn: AccountTurn, collectionId: Id): Found | DelegatedReply {
  const next = itemsIn(turn, collectionId).find(({ item }) => item.isLocal && item.state === 'pending');
  if (next === undefined) return { collectionId };
  const question = { collectionId, itemId: next.id, by: turn.self.key, sender: ownTraits(turn) };
  return turn.delegateReply(Account.feature.to(next.item.accountId, question));
}

export function decideFeaturing(
  turn: AccountTurn,
  { collectionId, itemId, decision }: BodyOf<typeof Account.decideFeaturing>,
): Found | DelegatedReply {
  const collection = turn.get(collections, [collectionId]);
  const item = turn.get(collectionItems, [collectionId, itemId]);
  if (collection?.accountId !== turn.self.key || item === undefined) return { collectionId };
  if (decision === 'accepted') accept(turn, collectionId, itemId, item);
  else {
    if (decision === 'revoked' && item.isLocal) spreadRevocation(turn, collection, item, collectionId);
    takeOut(turn, collection, { collectionId, itemId }, item);
  }
  // The other local accounts in a remote curator's collection are asked by its server.
  return isLocal(turn) ? askNext(turn, collectionId) : { collectionId };
}

function accept(turn: AccountTurn, collectionId: Id, itemId: Id, item: CollectionItem): void {
  if (item.state === 'accepted') return;
  turn.put(collectionItems, [collectionId, itemId], { ...item, state: 'accepted' });
  const collection = turn.get(collections, [collectionId])!;
  tell(turn, collection, { kind: 'addCollectionItem', collectionId, itemId });
}

/** Tells the servers that know the collection that the account has left it, in that account's name. */
function spreadRevocation(turn: AccountTurn, collection: Collection, { accountId }: CollectionItem, collectionId: Id) {
  if (!isLocal(turn)) return;
  const intent = { kind: 'revokeFeaturing', actorId: accountId, activityId: turn.nextId(), collectionId } as const;
  deliver(turn, intent, audienceOf(turn, collection, collectionId));
}

interface ItemReference {
  readonly collectionId: Id;
  readonly itemId: Id;
}

function takeOut(
  turn: AccountTurn,
  collection: Collection,
  { collectionId, itemId }: ItemReference,
  item: CollectionItem,
): void {
  if (item.state === 'accepted') tell(turn, collection, { kind: 'removeCollectionItem', collectionId, itemId });
  removeItem(turn, collectionId, itemId, item);
}

/** Throws notFound for an account that is not in it. */
export function removeFromCollection(
  turn: AccountTurn,
  { collectionId, itemId }: BodyOf<typeof Account.removeFromCollection>,
): undefined {
  const collection = ownCollection(turn, collectionId);
  const item = turn.get(collectionItems, [collectionId, itemId]);
  if (item === undefined) throw new Failure('notFound');
  takeOut(turn, collection, { collectionId, itemId }, item);
}

/** Runs on both accounts of a new block: removes the other account from the collections of this one. */
export function takeOutBlocked(turn: AccountTurn, accountId: Id): void {
  for (const { key } of [...turn.range(collectionsOfAccount, [turn.self.key])]) {
    const collectionId = key[1];
    const itemId = turn.get(collectionItemOf, [collectionId, accountId])?.id;
    if (itemId === undefined) continue;
    const collection = turn.get(collections, [collectionId])!;
    const item = turn.get(collectionItems, [collectionId, itemId])!;
    takeOut(turn, collection, { collectionId, itemId }, item);
  }
}

/** Accounts in it are notified of a new name or description. */
export function changeCollection(
  turn: AccountTurn,
  { collectionId, ...given }: BodyOf<typeof Account.changeCollection>,
): undefined {
  const before = ownCollection(turn, collectionId);
  const changed = withChanges(before, given);
  if (isDeepStrictEqual({ ...before }, changed)) return;
  const collection = { ...changed, updatedAt: turn.now };
  turn.put(collections, [collectionId], collection);
  if (before.name !== collection.name || before.description !== collection.description)
    notifyMembers(turn, collectionId);
  if (collection.discoverable && !before.discoverable) tell(turn, collection, { kind: 'addCollection', collectionId });
  else {
    const isListed = before.discoverable || collection.discoverable;
    tell(turn, { discoverable: isListed }, { kind: 'updateCollection', collectionId });
  }
}

/** Of two changes at a time, each changes what it names. */
function withChanges(
  before: Collection,
  { language, tag, ...given }: Omit<BodyOf<typeof Account.changeCollection>, 'collectionId'>,
): Collection {
  return {
    ...before,
    name: given.name ?? before.name,
    description: given.description ?? before.description,
    sensitive: given.sensitive ?? before.sensitive,
    discoverable: given.discoverable ?? before.discoverable,
    language: language === undefined ? before.language : language || undefined,
    tag: tag === undefined ? before.tag : (tag ?? undefined),
  };
}

export function removeCollection(
  turn: AccountTurn,
  { collectionId }: BodyOf<typeof Account.removeCollection>,
): undefined {
  const collection = ownCollection(turn, collectionId);
  tell(turn, collection, { kind: 'removeCollection', collectionId });
  dropCollection(turn, collectionId);
}

/** Throws notFound where the account was not asked. */
export function receiveFeatureAnswer(
  turn: AccountTurn,
  { collectionId, itemId, by, authorizationUri }: BodyOf<typeof Account.receiveFeatureAnswer>,
): undefined {
  const collection = ownCollection(turn, collectionId);
  const item = turn.get(collectionItems, [collectionId, itemId]);
  if (item?.accountId !== by || item.isLocal) throw new Failure('notFound');
  if (authorizationUri === undefined) takeOut(turn, collection, { collectionId, itemId }, item);
  else if (item.authorizationUri !== authorizationUri) {
    accept(turn, collectionId, itemId, { ...item, authorizationUri });
    if (item.state === 'accepted') turn.put(collectionItems, [collectionId, itemId], { ...item, authorizationUri });
    turn.tell(Account.feature.to(by, { collectionId, itemId, by: turn.self.key, authorizationUri }));
  }
}

/** Throws notFound for somebody else's collection. */
function ownCollection(turn: AccountTurn, collectionId: Id): Collection {
  const isHere = slotOfId(collectionId) === slotOfId(turn.self.key);
  const collection = isHere ? turn.get(collections, [collectionId]) : undefined;
  if (collection?.accountId !== turn.self.key) throw new Failure('notFound');
  return collection;
}

type CollectionIntent = Intent extends infer One
  ? One extends {
      kind: 'addCollection' | 'updateCollection' | 'removeCollection' | 'addCollectionItem' | 'removeCollectionItem';
    }
    ? Omit<One, 'actorId' | 'activityId'>
    : never
  : never;

function tell(turn: AccountTurn, listed: Pick<Collection, 'discoverable'>, about: CollectionIntent): void {
  if (!isLocal(turn)) return;
  const intent = { ...about, actorId: turn.self.key, activityId: turn.nextId() } as Intent;
  deliver(turn, intent, audienceOf(turn, listed, about.collectionId));
}

/** Followers, where the profile lists it, and the remote accounts that are in it or were asked (as Mastodon has it). */
function audienceOf(turn: AccountTurn, { discoverable }: Pick<Collection, 'discoverable'>, collectionId: Id) {
  const destinations = itemsIn(turn, collectionId).flatMap(({ item }) => item.destination ?? []);
  return { toFollowers: discoverable, destinations: distinctDestinations(destinations) };
}

/** Runs on the curator: a remote account in its collections has a new inbox. */
export function moveMember(turn: AccountTurn, accountId: Id, destination: Destination): void {
  for (const { key } of [...turn.range(collectionsOfAccount, [turn.self.key])]) {
    const itemId = turn.get(collectionItemOf, [key[1], accountId])?.id;
    const item = itemId === undefined ? undefined : turn.get(collectionItems, [key[1], itemId]);
    if (item === undefined || item.isLocal || isDeepStrictEqual(item.destination, destination)) continue;
    turn.put(collectionItems, [key[1], itemId!], { ...item, destination });
  }
}
