/** Writes a collection and its items, with their indexes. */

import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { actingAccount, ownTraits } from '../profile/profile.turn.ts';
import type { Collection, CollectionItem } from './collections.records.ts';
import {
  addressesOf,
  collectionByAddress,
  collectionByUri,
  collectionItemOf,
  collectionItems,
  collections,
  collectionsOfAccount,
} from './collections.state.ts';

/** Writes a collection as its server shows it now, to be found by its addresses. */
export function putRemoteCollection(turn: AccountTurn, collectionId: Id, collection: Collection): void {
  forgetAddresses(turn, collectionId);
  turn.put(collections, [collectionId], collection);
  for (const address of addressesOf(collection)) turn.put(collectionByAddress, [address], { id: collectionId });
}

/** An address that leads to another collection by now stays. */
function forgetAddresses(turn: AccountTurn, collectionId: Id): void {
  const collection = turn.get(collections, [collectionId]);
  for (const address of collection === undefined ? [] : addressesOf(collection))
    if (turn.get(collectionByAddress, [address])?.id === collectionId) turn.delete(collectionByAddress, [address]);
}

export function addItem(turn: AccountTurn, collectionId: Id, item: CollectionItem): Id {
  const itemId = turn.nextId();
  turn.put(collectionItems, [collectionId, itemId], item);
  turn.put(collectionItemOf, [collectionId, item.accountId], { id: itemId });
  return itemId;
}

/** Informs the account that it is no longer in the collection. */
export function removeItem(turn: AccountTurn, collectionId: Id, itemId: Id, { accountId }: CollectionItem): void {
  turn.delete(collectionItems, [collectionId, itemId]);
  turn.delete(collectionItemOf, [collectionId, accountId]);
  turn.tell(Account.unfeature.to(accountId, { collectionId, itemId, ...actingAccount(turn) }));
}

export function itemsIn(turn: AccountTurn, collectionId: Id): { id: Id; item: CollectionItem }[] {
  const entries = [...turn.range(collectionItems, [collectionId])];
  return entries.map(({ key, value }) => ({ id: key[1], item: value }));
}

/** Removes a collection with its items. */
export function dropCollection(turn: AccountTurn, collectionId: Id): void {
  const collection = turn.get(collections, [collectionId]);
  if (collection === undefined) return;
  for (const { id, item } of itemsIn(turn, collectionId)) removeItem(turn, collectionId, id, item);
  forgetAddresses(turn, collectionId);
  turn.delete(collections, [collectionId]);
  turn.delete(collectionsOfAccount, [turn.self.key, collectionId]);
  if (collection.uri !== undefined) turn.delete(collectionByUri, [turn.self.key, collection.uri]);
}

/** Notifies the local accounts in a collection. */
export function notifyMembers(turn: AccountTurn, collectionId: Id): void {
  const cause = { type: 'collection_update', fromId: turn.self.key, collectionId, sender: ownTraits(turn) } as const;
  for (const { item } of itemsIn(turn, collectionId))
    if (item.isLocal && item.state === 'accepted') turn.tell(Account.notify.to(item.accountId, cause));
}
