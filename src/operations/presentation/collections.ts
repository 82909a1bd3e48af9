/**
 * A collection of accounts as a viewer sees it (behaviour of the Mastodon API): the curator sees whom they asked,
 * others who has agreed, and nobody an account that is hidden from them.
 */
import {
  findCollection,
  itemsOf,
  type StoredCollection,
  type StoredItem,
} from '../../actors/account/collections/collections.queries.ts';
import { type AccountView, findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import { shownAccount } from '../../actors/account/relationships/relationships.queries.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';

export interface ShownCollection {
  readonly collection: StoredCollection;
  readonly owner: AccountView;
  readonly items: readonly (StoredItem & { readonly account: AccountView })[];
}

export function showCollection(
  reader: Reader,
  collection: StoredCollection,
  owner: AccountView,
  viewer: Viewer,
): ShownCollection {
  const isOwn = viewer.accountId === collection.accountId;
  const items = itemsOf(reader, collection.id).flatMap((item) => {
    if (item.state !== 'accepted' && !isOwn) return [];
    const account = shownAccount(reader, item.accountId, viewer);
    return account === undefined ? [] : [{ ...item, account }];
  });
  return { collection, owner, items };
}

/** Undefined for an unknown collection, or one whose curator is deleted or suspended. */
export function findShownCollection(reader: Reader, collectionId: Id, viewer: Viewer): ShownCollection | undefined {
  const collection = findCollection(reader, collectionId);
  const owner = collection && findPublicAccount(reader, collection.accountId);
  if (collection === undefined || owner === undefined || owner.profile.suspendedAt !== undefined) return undefined;
  return showCollection(reader, collection, owner, viewer);
}

/** The same for one that the viewer may see. */
export function visibleCollection(reader: Reader, collectionId: Id, viewer: Viewer): ShownCollection | undefined {
  const shown = findShownCollection(reader, collectionId, viewer);
  return shown === undefined || viewer.blocks(shown.collection.accountId) ? undefined : shown;
}

/** Those of the collections that the viewer may see, in order. */
export function visibleCollections(reader: Reader, collectionIds: readonly Id[], viewer: Viewer): ShownCollection[] {
  return collectionIds.flatMap((collectionId) => visibleCollection(reader, collectionId, viewer) ?? []);
}
