/** Local collections of accounts as ActivityPub documents (FEP-7aa9). Without `@context`. */
import {
  findCollection,
  itemsOf,
  type StoredCollection,
  type StoredItem,
} from '../../actors/account/collections/collections.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { escapeHtml } from '../../actors/text/escape.ts';
import type { JsonObject, JsonValue } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { collectionAddress, collectionItemAddress, featureAuthorizationAddress } from '../local-addresses.ts';
import { addressOfCollection } from './collection-tag.ts';
import { secondsTime } from './times.ts';

export function collectionDocument(
  reader: Reader,
  addresses: Addresses,
  collection: StoredCollection,
  username: string,
): JsonObject {
  const { id, name, description, language, sensitive, discoverable, tag, createdAt, updatedAt } = collection;
  const documents = itemsOf(reader, id).map((item) => itemDocument(reader, addresses, id, item, username));
  const orderedItems: JsonValue[] = documents.filter((document) => document !== undefined);
  const summary = escapeHtml(description);
  return {
    id: collectionAddress(addresses, username, id),
    type: 'FeaturedCollection',
    attributedTo: addresses.actor(username),
    url: addresses.collectionPage(id),
    name,
    ...(language === undefined ? { summary } : { summaryMap: { [language]: summary } }),
    sensitive,
    discoverable,
    ...(tag === undefined
      ? {}
      : { topic: { type: 'Hashtag', href: addresses.tag(tag.name), name: `#${tag.display}` } }),
    published: secondsTime(createdAt),
    updated: secondsTime(updatedAt),
    totalItems: orderedItems.length,
    orderedItems,
  };
}

/** Undefined for an account that has not consented, or was deleted. */
export function itemDocument(
  reader: Reader,
  addresses: Addresses,
  collectionId: Id,
  { id, accountId, state, createdAt, authorizationUri }: StoredItem,
  username: string,
): JsonObject | undefined {
  const profile = findProfile(reader, accountId);
  if (state !== 'accepted' || profile === undefined || profile.suspendedAt !== undefined) return undefined;
  return {
    id: collectionItemAddress(addresses, username, collectionId, id),
    type: 'FeaturedItem',
    featuredObject: profile.remote?.uri ?? addresses.actor(profile.username),
    featuredObjectType: profile.actorType,
    featureAuthorization: authorizationUri ?? featureAuthorizationAddress(addresses, profile.username, collectionId),
    published: secondsTime(createdAt),
  };
}

/** The consent of a local account to be in a collection. Undefined when it was withdrawn. */
export function featureAuthorization(
  reader: Reader,
  addresses: Addresses,
  username: string,
  collectionId: Id,
): JsonObject | undefined {
  const collection = findCollection(reader, collectionId);
  const address = collection && addressOfCollection(reader, addresses, collection);
  if (address === undefined) return undefined;
  return {
    id: featureAuthorizationAddress(addresses, username, collectionId),
    type: 'FeatureAuthorization',
    attributedTo: addresses.actor(username),
    interactingObject: address,
    interactionTarget: addresses.actor(username),
  };
}
