/** The Collection entity (Mastodon API 4.6) and related ones. */
import { z } from 'zod';
import type { StoredItem } from '../../actors/account/collections/collections.queries.ts';
import { itemStates } from '../../actors/account/collections/collections.records.ts';
import { escapeHtml } from '../../actors/text/escape.ts';
import { tagPath } from '../../actors/text/hashtags.ts';
import { collectionAddress } from '../../federation/local-addresses.ts';
import type { ShownCollection } from '../../operations/presentation/collections.ts';
import type { Addresses } from '../../services/addresses.ts';
import { AccountEntity } from './account.ts';
import { count, flag, id, language, text, time, timestamp, url } from './values.ts';

export const CollectionItemEntity = z
  .strictObject({ id, account_id: id.nullable(), state: z.enum(itemStates), created_at: time })
  .meta({ id: 'CollectionItem' });

export const CollectionEntity = z
  .strictObject({
    id,
    account_id: id,
    uri: url,
    url: url.nullable(),
    name: text,
    /** HTML. */
    description: text,
    language: language.nullable(),
    local: flag,
    sensitive: flag,
    discoverable: flag,
    tag: z.strictObject({ name: text.min(1), url }).nullable(),
    created_at: time,
    updated_at: time,
    item_count: count,
    items: z.array(CollectionItemEntity),
  })
  .meta({ id: 'Collection' });
export type CollectionEntity = z.output<typeof CollectionEntity>;

export const WrappedCollectionEntity = z.strictObject({ collection: CollectionEntity });
export const CollectionsEntity = z.strictObject({ collections: z.array(CollectionEntity) });
export const WrappedCollectionItemEntity = z.strictObject({ collection_item: CollectionItemEntity });
export const CollectionWithAccountsEntity = z.strictObject({
  /** All accounts in it, and its curator. */
  accounts: z.array(AccountEntity),
  collection: CollectionEntity,
});

export function collectionItemEntity({ id: itemId, accountId, state, createdAt }: StoredItem) {
  return {
    id: itemId.toString(),
    account_id: accountId.toString(),
    state,
    created_at: timestamp(createdAt),
  };
}

export function collectionEntity(
  { collection, owner, items }: ShownCollection,
  addresses: Addresses,
): CollectionEntity {
  const { id: collectionId, uri, tag, description } = collection;
  const isLocal = uri === undefined;
  return {
    id: collectionId.toString(),
    account_id: collection.accountId.toString(),
    uri: uri ?? collectionAddress(addresses, owner.profile.username, collectionId),
    url: isLocal ? addresses.collectionPage(collectionId) : (collection.url ?? null),
    name: collection.name,
    description: isLocal ? escapeHtml(description) : description,
    language: collection.language ?? null,
    local: isLocal,
    sensitive: collection.sensitive,
    discoverable: collection.discoverable,
    tag: tag === undefined ? null : { name: tag.display, url: addresses.origin + tagPath(tag.name) },
    created_at: timestamp(collection.createdAt),
    updated_at: timestamp(collection.updatedAt),
    item_count: items.length,
    items: items.map(collectionItemEntity),
  };
}
