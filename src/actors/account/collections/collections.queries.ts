/** Collections, the accounts in them, and which collections an account is in. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { profiles } from '../profile/profile.state.ts';
import type { Collection, CollectionItem } from './collections.records.ts';
import {
  collectionByAddress,
  collectionByUri,
  collectionItemOf,
  collectionItems,
  collections,
  collectionsOfAccount,
  featurings,
} from './collections.state.ts';

export interface StoredCollection extends Collection {
  readonly id: Id;
}

export interface StoredItem extends CollectionItem {
  readonly id: Id;
}

export function findCollection(reader: Reader, collectionId: Id): StoredCollection | undefined {
  const collection = reader.get(collections, [collectionId]);
  return collection && { ...collection, id: collectionId };
}

/** Newest first. */
export function collectionsOf(reader: Reader, accountId: Id): StoredCollection[] {
  const ids = Array.from(reader.range(collectionsOfAccount, [accountId], { reverse: true }), ({ key }) => key[1]);
  return ids.flatMap((collectionId) => findCollection(reader, collectionId) ?? []);
}

/** In the order of their addition. */
export function itemsOf(reader: Reader, collectionId: Id): StoredItem[] {
  return Array.from(reader.range(collectionItems, [collectionId]), ({ key, value }) => ({ ...value, id: key[1] }));
}

export function findItem(reader: Reader, collectionId: Id, itemId: Id): StoredItem | undefined {
  const item = reader.get(collectionItems, [collectionId, itemId]);
  return item && { ...item, id: itemId };
}

/** The item of an account in a collection. */
export function itemOfAccount(reader: Reader, collectionId: Id, accountId: Id): StoredItem | undefined {
  const item = reader.get(collectionItemOf, [collectionId, accountId]);
  return item && findItem(reader, collectionId, item.id);
}

export function collectionIdOfUri(reader: Reader, ownerId: Id, uri: string): Id | undefined {
  return reader.get(collectionByUri, [ownerId, uri])?.id;
}

/** A remote collection by its ActivityPub id or its page. Reads every partition. */
export function collectionIdOfAddress(snapshots: Snapshots, address: string): Id | undefined {
  for (const partition of snapshots.partitions) {
    const found = partition.get(collectionByAddress, [address]);
    if (found !== undefined) return found.id;
  }
  return undefined;
}

/** A page of the collections that an account has agreed to be in, newest first; without those of suspended curators. */
export function collectionsWith(
  reader: Reader,
  accountId: Id,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): StoredCollection[] {
  const found: StoredCollection[] = [];
  let passed = 0;
  for (const { key, value } of reader.range(featurings, [accountId], { reverse: true })) {
    if (value.isRevoked === true || isSuspended(reader, value.ownerId)) continue;
    passed += 1;
    if (passed <= offset) continue;
    const collection = findCollection(reader, key[1]);
    if (collection !== undefined) found.push(collection);
    if (found.length === limit) break;
  }
  return found;
}

function isSuspended(reader: Reader, accountId: Id): boolean {
  return reader.get(profiles, [accountId])?.suspendedAt !== undefined;
}

/** Whether the account has agreed to be in the collection and has not revoked that. */
export function isFeatured(reader: Reader, accountId: Id, collectionId: Id): boolean {
  const featuring = reader.get(featurings, [accountId, collectionId]);
  return featuring !== undefined && featuring.isRevoked !== true;
}
