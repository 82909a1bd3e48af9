/** Addresses of local objects that only ActivityPub needs, besides those of `Addresses`, and their parsing. */
import { type Id, parseId } from '../runtime/ids.ts';
import type { Addresses } from '../services/addresses.ts';

export function repliesAddress(addresses: Addresses, username: string, statusId: Id): string {
  return `${addresses.status(username, statusId)}/replies`;
}

/** Collections of which only the total is shown. */
export function likesAddress(addresses: Addresses, username: string, statusId: Id): string {
  return `${addresses.status(username, statusId)}/likes`;
}

export function sharesAddress(addresses: Addresses, username: string, statusId: Id): string {
  return `${addresses.status(username, statusId)}/shares`;
}

/** Which accounts of a server follow a local one (FEP-8fcf). */
export function followersSynchronizationAddress(addresses: Addresses, username: string): string {
  return `${addresses.actor(username)}/followers_synchronization`;
}

export function instanceInbox(addresses: Addresses): string {
  return `${addresses.instanceActor}/inbox`;
}

export function instanceOutbox(addresses: Addresses): string {
  return `${addresses.instanceActor}/outbox`;
}

/** The Ed25519 key of a local account. */
export function proofKeyIdOf(addresses: Addresses, username: string): string {
  return `${addresses.actor(username)}#ed25519-key`;
}

export function relayKeyId(addresses: Addresses): string {
  return `${addresses.relayActor}#main-key`;
}

/** Whom announcements of the relay are for. */
export function relayFollowers(addresses: Addresses): string {
  return `${addresses.relayActor}/followers`;
}

export function relayOutbox(addresses: Addresses): string {
  return `${addresses.relayActor}/outbox`;
}

export function instanceKeyId(addresses: Addresses): string {
  return `${addresses.instanceActor}#main-key`;
}

/** The id in the address of a local activity without an object of its own: a Follow, a Like, a Block. */
export function activityIdOf(addresses: Addresses, uri: string): Id | undefined {
  const start = `${addresses.origin}/activities/`;
  return uri.startsWith(start) ? parseId(uri.slice(start.length)) : undefined;
}

/** The authorization of a quote of a local status, by the id of the quoting status. */
export function quoteAuthorizationAddress(addresses: Addresses, username: string, quoteId: Id): string {
  return `${addresses.actor(username)}/quote_authorizations/${quoteId}`;
}

const quoteRequestEnd = '/quote_request';

/** The request of a local status to quote another one. */
export function quoteRequestAddress(addresses: Addresses, username: string, statusId: Id): string {
  return `${addresses.status(username, statusId)}${quoteRequestEnd}`;
}

/** Whether this can be the address of a request made here. */
export function isQuoteRequestAddress(uri: string | undefined): boolean {
  return uri?.endsWith(quoteRequestEnd) === true;
}

/** The id of the quoting status in the address of its request. */
export function requestedQuoteIdOf(addresses: Addresses, uri: string): Id | undefined {
  return uri.endsWith(quoteRequestEnd) ? addresses.statusOf(uri.slice(0, -quoteRequestEnd.length))?.id : undefined;
}

/** The consent of a local author to a reply, by the id of the reply. */
export function replyAuthorizationAddress(addresses: Addresses, username: string, replyId: Id): string {
  return `${addresses.actor(username)}/reply_authorizations/${replyId}`;
}

const replyRequestEnd = '/reply_request';

/** The request of a local status to answer another one. */
export function replyRequestAddress(addresses: Addresses, username: string, statusId: Id): string {
  return `${addresses.status(username, statusId)}${replyRequestEnd}`;
}

/** Whether this can be the address of a request made here. */
export function isReplyRequestAddress(uri: string | undefined): boolean {
  return uri?.endsWith(replyRequestEnd) === true;
}

/** The id of the reply in the address of its request. */
export function requestedReplyIdOf(addresses: Addresses, uri: string): Id | undefined {
  return uri.endsWith(replyRequestEnd) ? addresses.statusOf(uri.slice(0, -replyRequestEnd.length))?.id : undefined;
}

/** The list of collections that a local account shows on its profile. */
export function featuredCollectionsAddress(addresses: Addresses, username: string): string {
  return `${addresses.actor(username)}/featured_collections`;
}

/** A collection of accounts (FEP-7aa9). */
export function collectionAddress(addresses: Addresses, username: string, collectionId: Id): string {
  return `${featuredCollectionsAddress(addresses, username)}/${collectionId}`;
}

export function collectionItemAddress(addresses: Addresses, username: string, collectionId: Id, itemId: Id): string {
  return `${collectionAddress(addresses, username, collectionId)}/items/${itemId}`;
}

const featureRequestEnd = '/feature_request';

/** The request to add a remote account to a local collection. */
export function featureRequestAddress(addresses: Addresses, username: string, collectionId: Id, itemId: Id): string {
  return `${collectionItemAddress(addresses, username, collectionId, itemId)}${featureRequestEnd}`;
}

/** Whether this can be the address of a request made here. */
export function isFeatureRequestAddress(uri: string | undefined): boolean {
  return uri?.endsWith(featureRequestEnd) === true;
}

const requestPattern = /\/featured_collections\/([0-9]{1,20})\/items\/([0-9]{1,20})\/feature_request$/;

/** The subject of a request that was made here. */
export function requestedItemOf(addresses: Addresses, uri: string): { collectionId: Id; itemId: Id } | undefined {
  const found = addresses.isLocal(uri) ? requestPattern.exec(uri) : null;
  const collectionId = parseId(found?.[1] ?? '');
  const itemId = parseId(found?.[2] ?? '');
  return collectionId === undefined || itemId === undefined ? undefined : { collectionId, itemId };
}

/**
 * The consent of a local account to be in a collection: it is in each at most once, so the collection's id is
 * sufficient.
 */
export function featureAuthorizationAddress(addresses: Addresses, username: string, collectionId: Id): string {
  return `${addresses.actor(username)}/feature_authorizations/${collectionId}`;
}

/** The id of a local reblog in the address of its Announce. */
export function announcedIdOf(addresses: Addresses, uri: string): Id | undefined {
  const end = '/activity';
  return uri.endsWith(end) ? addresses.statusOf(uri.slice(0, -end.length))?.id : undefined;
}
