/**
 * Serves the collections of accounts that a local account curates, and its consents to be in collections (FEP-7aa9).
 */
import {
  collectionsOf,
  findCollection,
  findItem,
  isFeatured,
  type StoredCollection,
} from '../../actors/account/collections/collections.queries.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import {
  collectionDocument,
  featureAuthorization,
  itemDocument,
} from '../../federation/documents/collection-documents.ts';
import { wholeCollection } from '../../federation/documents/collections.ts';
import { featureAuthorizationContext, featuredCollectionContext } from '../../federation/documents/contexts.ts';
import { featuredCollectionsAddress } from '../../federation/local-addresses.ts';
import { Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { jsonAnswer } from './answers.ts';
import { localAccount } from './find.ts';

/** Those listed on the profile, complete: there are few. */
export function getFeaturedCollections({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { snapshots, addresses } = services;
  const { id, username } = localAccount(snapshots, pathParameters.name).profile;
  const items = collectionsOf(snapshots, id)
    .filter(({ discoverable }) => discoverable)
    .map((collection) => collectionDocument(snapshots, addresses, collection, username));
  const document = wholeCollection(featuredCollectionsAddress(addresses, username), items);
  return jsonAnswer(request, { '@context': featuredCollectionContext, ...document });
}

export function getFeaturedCollection(context: RawContext<Services>): Answer {
  const { request, services } = context;
  const { collection, profile } = collectionOf(context);
  const document = collectionDocument(services.snapshots, services.addresses, collection, profile.username);
  return jsonAnswer(request, { '@context': featuredCollectionContext, ...document });
}

/** The collection at the address of its page, of any local account. Throws as `localAccount` does. */
export function getCollectionOfPage({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { snapshots, addresses } = services;
  const collectionId = parseId(pathParameters.id ?? '');
  const collection = collectionId === undefined ? undefined : findCollection(snapshots, collectionId);
  const owner = collection && findPublicAccount(snapshots, collection.accountId)?.profile;
  if (collection === undefined || owner === undefined || owner.remote !== undefined) throw new Failure('notFound');
  if (owner.suspendedAt !== undefined) throw new Failure('forbidden');
  const document = collectionDocument(snapshots, addresses, collection, owner.username);
  return jsonAnswer(request, { '@context': featuredCollectionContext, ...document });
}

export function getFeaturedItem(context: RawContext<Services>): Answer {
  const { request, services, pathParameters } = context;
  const { snapshots, addresses } = services;
  const { collection, profile } = collectionOf(context);
  const itemId = parseId(pathParameters.item ?? '');
  const item = itemId === undefined ? undefined : findItem(snapshots, collection.id, itemId);
  const document = item && itemDocument(snapshots, addresses, collection.id, item, profile.username);
  if (document === undefined) throw new Failure('notFound');
  return jsonAnswer(request, { '@context': featuredCollectionContext, ...document });
}

function collectionOf({ services, pathParameters }: RawContext<Services>): {
  collection: StoredCollection;
  profile: Profile;
} {
  const { profile } = localAccount(services.snapshots, pathParameters.name);
  const collectionId = parseId(pathParameters.id ?? '');
  const collection = collectionId === undefined ? undefined : findCollection(services.snapshots, collectionId);
  if (collection?.accountId !== profile.id) throw new Failure('notFound');
  return { collection, profile };
}

/** Served as long as the account consents. */
export function getFeatureAuthorization({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { snapshots, addresses } = services;
  const { id, username } = localAccount(snapshots, pathParameters.name).profile;
  const collectionId = parseId(pathParameters.id ?? '');
  const document =
    collectionId !== undefined && isFeatured(snapshots, id, collectionId)
      ? featureAuthorization(snapshots, addresses, username, collectionId)
      : undefined;
  if (document === undefined) throw new Failure('notFound');
  return jsonAnswer(request, { '@context': featureAuthorizationContext, ...document });
}
