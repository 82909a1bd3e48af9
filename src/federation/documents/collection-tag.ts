/** A collection of accounts as other objects refer to it (FEP-7aa9). */
import { findCollection, type StoredCollection } from '../../actors/account/collections/collections.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { collectionAddress } from '../local-addresses.ts';

/**
 * For a status that links to the collection, local or remote: what never changes of it. Mastodon embeds all of it, and
 * reads the id only. Undefined for a deleted one.
 */
export function collectionTag(reader: Reader, addresses: Addresses, collectionId: Id): JsonObject | undefined {
  const collection = findCollection(reader, collectionId);
  const owner = collection && findProfile(reader, collection.accountId);
  if (collection === undefined || owner === undefined) return undefined;
  const { uri, url } = collection;
  return {
    type: 'FeaturedCollection',
    id: uri ?? collectionAddress(addresses, owner.username, collectionId),
    attributedTo: owner.remote?.uri ?? addresses.actor(owner.username),
    url: uri === undefined ? addresses.collectionPage(collectionId) : (url ?? uri),
  };
}

/** For local and remote collections; undefined when the curator was deleted. */
export function addressOfCollection(
  reader: Reader,
  addresses: Addresses,
  { id, accountId, uri }: StoredCollection,
): string | undefined {
  if (uri !== undefined) return uri;
  const owner = findProfile(reader, accountId);
  return owner === undefined ? undefined : collectionAddress(addresses, owner.username, id);
}
