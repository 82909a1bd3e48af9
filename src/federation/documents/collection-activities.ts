/** Activities about collections of accounts: requests, answers, and every change (FEP-7aa9). */
import { findCollection, findItem } from '../../actors/account/collections/collections.queries.ts';
import type { JsonObject, JsonValue } from '../../outbound/fetcher/json.ts';
import {
  collectionAddress,
  collectionItemAddress,
  featureAuthorizationAddress,
  featuredCollectionsAddress,
  featureRequestAddress,
} from '../local-addresses.ts';
import { publicDelete } from './activities.ts';
import { collectionDocument, itemDocument } from './collection-documents.ts';
import { featuredCollectionContext, featureRequestContext } from './contexts.ts';
import { accountAddress } from './note-document.ts';
import type { IntentOf, Renderings, Translating } from './translating.ts';
import { publicAudience } from './vocabulary.ts';

export const collectionActivities: Renderings<
  | 'featureRequest'
  | 'acceptFeature'
  | 'rejectFeature'
  | 'revokeFeaturing'
  | 'addCollection'
  | 'updateCollection'
  | 'removeCollection'
  | 'addCollectionItem'
  | 'removeCollectionItem'
> = {
  featureRequest,
  acceptFeature: (intent, translating) => featureAnswer('Accept', intent, translating),
  rejectFeature: (intent, translating) => featureAnswer('Reject', intent, translating),
  revokeFeaturing: featureRevocation,
  addCollection: collectionAdded,
  updateCollection: collectionUpdated,
  removeCollection: collectionRemoved,
  addCollectionItem: itemAdded,
  removeCollectionItem: itemRemoved,
};

/** Undefined when the account was deleted. */
function featureRequest(
  { targetId, collectionId, itemId }: IntentOf<'featureRequest'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const featured = accountAddress(reader, addresses, targetId);
  if (featured === undefined) return undefined;
  return {
    '@context': featureRequestContext,
    id: featureRequestAddress(addresses, username, collectionId, itemId),
    type: 'FeatureRequest',
    actor,
    to: [featured],
    object: featured,
    instrument: collectionAddress(addresses, username, collectionId),
  };
}

/** Undefined when the requester was deleted. */
function featureAnswer(
  type: 'Accept' | 'Reject',
  { activityId, targetId, collectionId, collectionUri, requestUri }: IntentOf<'acceptFeature' | 'rejectFeature'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const curator = accountAddress(reader, addresses, targetId);
  if (curator === undefined) return undefined;
  const request = { type: 'FeatureRequest', actor: curator, object: actor, instrument: collectionUri };
  const result = type === 'Accept' ? { result: featureAuthorizationAddress(addresses, username, collectionId) } : {};
  return {
    '@context': featureRequestContext,
    id: addresses.activity(activityId),
    type,
    actor,
    to: [curator],
    object: requestUri ?? request,
    ...result,
  };
}

function featureRevocation(
  { activityId, collectionId }: IntentOf<'revokeFeaturing'>,
  translating: Translating,
): JsonObject {
  const { addresses, username } = translating;
  const authorization = featureAuthorizationAddress(addresses, username, collectionId);
  return publicDelete(activityId, authorization, translating);
}

function collectionAdded(intent: IntentOf<'addCollection'>, translating: Translating): JsonObject | undefined {
  const { addresses, username } = translating;
  const object = documentOf(intent, translating);
  return (
    object && activity('Add', intent, translating, { object, target: featuredCollectionsAddress(addresses, username) })
  );
}

function collectionUpdated(intent: IntentOf<'updateCollection'>, translating: Translating): JsonObject | undefined {
  const object = documentOf(intent, translating);
  return object && activity('Update', intent, translating, { object });
}

function collectionRemoved(intent: IntentOf<'removeCollection'>, translating: Translating): JsonObject {
  const { addresses, username } = translating;
  return activity('Remove', intent, translating, {
    object: collectionAddress(addresses, username, intent.collectionId),
    target: featuredCollectionsAddress(addresses, username),
  });
}

/** Undefined when the item was removed already. */
function itemAdded(intent: IntentOf<'addCollectionItem'>, translating: Translating): JsonObject | undefined {
  const { reader, addresses, username } = translating;
  const { collectionId, itemId } = intent;
  const item = findItem(reader, collectionId, itemId);
  const object = item && itemDocument(reader, addresses, collectionId, item, username);
  const target = collectionAddress(addresses, username, collectionId);
  return object && activity('Add', intent, translating, { object, target });
}

function itemRemoved(intent: IntentOf<'removeCollectionItem'>, translating: Translating): JsonObject {
  const { addresses, username } = translating;
  const { collectionId, itemId } = intent;
  return activity('Remove', intent, translating, {
    object: collectionItemAddress(addresses, username, collectionId, itemId),
    target: collectionAddress(addresses, username, collectionId),
  });
}

function documentOf(
  { collectionId }: { readonly collectionId: bigint },
  { reader, addresses, username }: Translating,
): JsonObject | undefined {
  const collection = findCollection(reader, collectionId);
  return collection && collectionDocument(reader, addresses, collection, username);
}

function activity(
  type: 'Add' | 'Update' | 'Remove',
  { activityId }: { readonly activityId: bigint },
  { addresses, username, actor }: Translating,
  about: Readonly<Record<string, JsonValue>>,
): JsonObject {
  return {
    '@context': featuredCollectionContext,
    id: addresses.activity(activityId),
    type,
    actor,
    to: [publicAudience],
    cc: [addresses.followers(username)],
    ...about,
  };
}
