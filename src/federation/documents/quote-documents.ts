/** Quotes as ActivityPub documents (FEP-044f, with the older properties). Without `@context`. */
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { quoteAuthorizationAddress } from '../local-addresses.ts';

/**
 * The quote of a local status, under all property names in use. `quotedUri` is undefined where the quoted status is
 * gone. Receivers show the quote if the authorization is valid.
 */
export function quoteProperties(
  reader: Reader,
  addresses: Addresses,
  { id, quote }: Status,
  quotedUri: string | undefined,
): JsonObject {
  if (quote === undefined) return {};
  if (quotedUri === undefined) return { quote: { type: 'Tombstone' } };
  const authorization =
    quote.state === 'accepted'
      ? (quote.authorizationUri ?? localAuthorization(reader, addresses, quote.accountId, id))
      : undefined;
  return {
    quote: quotedUri,
    quoteUri: quotedUri,
    quoteUrl: quotedUri,
    _misskey_quote: quotedUri,
    ...(authorization === undefined ? {} : { quoteAuthorization: authorization }),
  };
}

/** FEP-e232: the quoted status as a link among the tags. */
export function quoteLink(quotedUri: string): JsonObject {
  return {
    type: 'Link',
    mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    rel: 'https://misskey-hub.net/ns#_misskey_quote',
    href: quotedUri,
    name: `RE: ${quotedUri}`,
  };
}

function localAuthorization(reader: Reader, addresses: Addresses, authorId: Id, quoteId: Id): string | undefined {
  const author = findProfile(reader, authorId);
  if (author === undefined || author.remote !== undefined) return undefined;
  return quoteAuthorizationAddress(addresses, author.username, quoteId);
}

/** The address of a local or remote status; undefined for one that was deleted, or that stays on this server. */
export function statusAddress(reader: Reader, addresses: Addresses, statusId: Id): string | undefined {
  const status = findStatusRecord(reader, statusId);
  if (status === undefined || status.localOnly === true) return undefined;
  const remote = status.uri ?? status.activityUri;
  if (remote !== undefined) return remote;
  const author = findProfile(reader, status.accountId);
  return author === undefined ? undefined : addresses.status(author.username, statusId);
}

/** The authorization for a status to quote one of a local author. Undefined when the quoted status was deleted. */
export function quoteAuthorization(
  reader: Reader,
  addresses: Addresses,
  username: string,
  statusId: Id,
  quoteId: Id,
): JsonObject | undefined {
  const quoteUri = statusAddress(reader, addresses, quoteId);
  if (quoteUri === undefined) return undefined;
  return {
    id: quoteAuthorizationAddress(addresses, username, quoteId),
    type: 'QuoteAuthorization',
    attributedTo: addresses.actor(username),
    interactingObject: quoteUri,
    interactionTarget: addresses.status(username, statusId),
  };
}
