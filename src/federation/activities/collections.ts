/**
 * Collections of remote accounts, their requests to feature local accounts, and their answers to ours (FEP-7aa9).
 *
 * INVARIANT an account is in a collection only by its own consent: a local account's is stored here, a remote one's is
 * a document on its own host.
 */
import { Account } from '../../actors/account/account.messages.ts';
import type { ReceivedItem } from '../../actors/account/collections/collections.messages.ts';
import { collectionIdOfUri, findCollection, itemsOf } from '../../actors/account/collections/collections.queries.ts';
import { collectionLimits } from '../../actors/account/collections/limits.ts';
import { findProfile, hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import type { ActOf } from '../documents/acts.ts';
import type { RemoteCollection, RemoteItem } from '../documents/read-collection.ts';
import { isSameHost } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { requestedItemOf } from '../local-addresses.ts';
import {
  type Applied,
  callFor,
  done,
  type Inbound,
  type Outcome,
  type Received,
  type RemoteSource,
} from './inbound.ts';

/** The collection is stored before its request is decided. */
export function receiveFeatureRequest(received: Received, request: ActOf<'requestFeature'>): Applied {
  const { inbound, actor, source } = received;
  const { featured, collectionUri } = request;
  const account = inbound.addresses.isLocal(featured) ? inbound.accounts.find(featured) : undefined;
  if (account?.isLocal !== true || !isSameHost(collectionUri, actor.uri)) return 'dropped';
  const known = collectionIdOfUri(inbound.snapshots, actor.id, collectionUri);
  if (known !== undefined) return ask(received, known, account.id);
  return source === undefined ? 'incomplete' : storeAndAsk(received, request, account.id, source);
}

async function storeAndAsk(
  received: Received,
  { collection: shown, collectionUri }: ActOf<'requestFeature'>,
  accountId: Id,
  source: RemoteSource,
): Promise<Outcome> {
  const { inbound, actor } = received;
  const collection = shown ?? (await source.collection(collectionUri));
  if (collection === undefined || collection.uri !== collectionUri || collection.owner !== actor.uri) return 'dropped';
  return ask(received, await storeCollection(inbound, collection, actor, source), accountId);
}

function ask(received: Received, collectionId: Id, accountId: Id): Applied {
  const { actor, stamp } = received;
  const message = { collectionId, accountId, requestUri: stamp.uri };
  return callFor(received, Account.receiveFeatureRequest.to(actor.id, message));
}

/** The authorization must be on the host of the actor. */
export function receiveFeatureAnswer(
  received: Received,
  { kind, requestUri, authorization }: ActOf<'acceptFeature' | 'rejectFeature'>,
): Applied {
  const { actor } = received;
  const { snapshots, addresses } = received.inbound;
  const isAccepted = kind === 'acceptFeature';
  if (isAccepted && (authorization === undefined || !isSameHost(authorization, actor.uri))) return 'dropped';
  const asked = requestUri === undefined ? undefined : requestedItemOf(addresses, requestUri);
  const collection = asked && findCollection(snapshots, asked.collectionId);
  if (asked === undefined || collection === undefined || collection.uri !== undefined) return 'dropped';
  const message = {
    ...asked,
    by: actor.id,
    ...(isAccepted ? { authorizationUri: authorization } : {}),
  };
  return callFor(received, Account.receiveFeatureAnswer.to(collection.accountId, message));
}

/** A new or changed collection, of an account that is followed here or known already. */
export function receiveSharedCollection(
  { inbound, stamp, actor, source }: Received,
  { collection, target }: ActOf<'shareCollection'>,
): Applied {
  const { snapshots } = inbound;
  const isKnown = collectionIdOfUri(snapshots, actor.id, collection.uri) !== undefined;
  const isListed = target !== undefined && target === listOf(inbound, actor);
  const isWanted = isKnown || (isListed && hasLocalFollowers(snapshots, actor.id));
  if (!isWanted || collection.owner !== actor.uri) return 'dropped';
  return source === undefined
    ? 'incomplete'
    : done(storeCollection(inbound, collection, actor, source, stamp.signedAt));
}

function listOf({ snapshots }: Inbound, actor: KnownAccount): string | undefined {
  return findProfile(snapshots, actor.id)?.remote?.featuredCollections;
}

/** An item of a known collection. */
export function receiveCollectionItem(received: Received, added: ActOf<'addCollectionItem'>): Applied {
  const { inbound, actor, source } = received;
  if (collectionIdOfUri(inbound.snapshots, actor.id, added.target) === undefined) return 'dropped';
  return source === undefined ? 'incomplete' : storeItem(received, added, source);
}

async function storeItem(
  received: Received,
  { item, target: collectionUri }: ActOf<'addCollectionItem'>,
  source: RemoteSource,
): Promise<Outcome> {
  const { inbound, actor, stamp } = received;
  const verified = await verify(inbound, item, collectionUri, source);
  if (verified === undefined) return 'dropped';
  const message = { collectionUri, item: verified, signedAt: stamp.signedAt };
  return callFor(received, Account.receiveCollectionItem.to(actor.id, message));
}

/**
 * An object, by address, that was added to or removed from a collection other than the pinned statuses; undefined where
 * that is not a collection of accounts either.
 */
export function receiveCollected(received: Received, { kind, uri, collection }: ActOf<'pin' | 'unpin'>): Applied {
  const { inbound, actor, source } = received;
  const { signedAt } = received.stamp;
  const isList = listOf(inbound, actor) === collection;
  const isKnown = isList || collectionIdOfUri(inbound.snapshots, actor.id, collection) !== undefined;
  if (!isKnown || !isSameHost(uri, actor.uri)) return 'dropped';
  if (kind === 'pin') {
    if (!isList || !hasLocalFollowers(inbound.snapshots, actor.id)) return 'dropped';
    return source === undefined ? 'incomplete' : fetchShared(received, uri, source);
  }
  const gone = isList ? { collectionUri: uri } : { collectionUri: collection, itemUri: uri };
  return callFor(received, Account.receiveUncollected.to(actor.id, { ...gone, signedAt }));
}

async function fetchShared({ inbound, stamp, actor }: Received, uri: string, source: RemoteSource): Promise<Outcome> {
  const collection = await source.collection(uri);
  if (collection?.owner !== actor.uri) return 'dropped';
  return done(storeCollection(inbound, collection, actor, source, stamp.signedAt));
}

/** A collection by its address, with its curator. Undefined for anything else, and where it cannot be fetched. */
export async function fetchCollection(
  inbound: Inbound,
  address: string,
  source: RemoteSource,
): Promise<Id | undefined> {
  const collection = await source.collection(address).catch(ignoreFailure);
  if (collection === undefined) return undefined;
  const known = inbound.accounts.find(collection.owner);
  const owner = known ?? (await source.account(collection.owner).catch(ignoreFailure));
  if (owner === undefined || owner.isLocal || owner.isSuspended) return undefined;
  return storeCollection(inbound, collection, owner, source).catch(ignoreFailure);
}

/**
 * Stores the collection with the items that can be verified now. `signedAt`: of the activity that brought it. Rejects with
 * Failure forbidden above the bound, notFound where it was deleted or a newer change was applied.
 */
export async function storeCollection(
  inbound: Inbound,
  collection: RemoteCollection,
  owner: KnownAccount,
  source: RemoteSource,
  signedAt?: number,
): Promise<Id> {
  const { uri, url, name, summary, language, sensitive, discoverable, tag, items, ...times } = collection;
  if (!isSameHost(uri, owner.uri)) throw new Failure('forbidden');
  const now = inbound.now();
  const createdAt = Math.min(times.publishedAt ?? now, now);
  const updatedAt = Math.min(times.updatedAt ?? createdAt, now);
  const description = summary === '' ? '' : await inbound.cleanHtml(summary);
  const itemUris = items.map((item) => item.uri);
  const described = { uri, url, name, description, language, sensitive, discoverable, tag, createdAt, updatedAt };
  const verified = await verifiedItems(inbound, collection, owner, source);
  const message = { collection: described, itemUris, items: verified, signedAt };
  const flow = traced(flowOfHost(owner.host), source.cause);
  const stored = await inbound.client.call(Account.receiveCollection.to(owner.id, message), flow);
  return stored.collectionId;
}

/** Items that were verified before are not verified again. */
async function verifiedItems(
  inbound: Inbound,
  { uri, items }: RemoteCollection,
  owner: KnownAccount,
  source: RemoteSource,
): Promise<ReceivedItem[]> {
  const collectionId = collectionIdOfUri(inbound.snapshots, owner.id, uri);
  const known = collectionId === undefined ? [] : itemsOf(inbound.snapshots, collectionId);
  const verified: ReceivedItem[] = [];
  let fetched = 0;
  for (const item of items) {
    const isKept = known.some((kept) => kept.uri === item.uri && kept.authorizationUri === item.authorization);
    if (isKept || !isSameHost(item.uri, uri)) continue;
    const isOfLocal = inbound.addresses.isLocal(item.featured);
    if (!isOfLocal && fetched === collectionLimits.verifiedPerReadingMax) continue;
    if (!isOfLocal) fetched += 1;
    const received = await verify(inbound, item, uri, source).catch(ignoreFailure);
    if (received !== undefined) verified.push(received);
  }
  return verified;
}

/** Undefined where the account has not consented, or its document cannot be fetched. */
async function verify(
  inbound: Inbound,
  { uri, featured, authorization, publishedAt }: RemoteItem,
  collectionUri: string,
  source: RemoteSource,
): Promise<ReceivedItem | undefined> {
  if (!isSameHost(uri, collectionUri)) return undefined;
  const now = inbound.now();
  const item = { uri, createdAt: Math.min(publishedAt ?? now, now) };
  if (inbound.addresses.isLocal(featured)) {
    const account = inbound.accounts.find(featured);
    return account === undefined ? undefined : { ...item, accountId: account.id, isLocal: true };
  }
  if (authorization === undefined || !isSameHost(authorization, featured)) return undefined;
  const said = await source.featureAuthorization(authorization);
  if (said?.featured !== featured || said.collection !== collectionUri) return undefined;
  const account = inbound.accounts.find(featured) ?? (await source.account(featured));
  if (account === undefined || account.isSuspended) return undefined;
  return { ...item, accountId: account.id, isLocal: false, authorizationUri: authorization };
}
