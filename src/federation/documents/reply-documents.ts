/** The consent to a reply, as ActivityPub documents (interaction policies of GoToSocial). Without `@context`. */
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { replyAuthorizationAddress } from '../local-addresses.ts';
import { statusAddress } from './quote-documents.ts';

/** The proof that a local reply was agreed to; undefined where it needs none. */
export function consentOf(
  reader: Reader,
  addresses: Addresses,
  { id, replyAuthorization, needsConsent, inReplyToId, inReplyToAccountId }: Status,
): string | undefined {
  if (replyAuthorization !== undefined) return replyAuthorization;
  if (needsConsent !== true || inReplyToId === undefined || inReplyToAccountId === undefined) return undefined;
  const author = findProfile(reader, inReplyToAccountId);
  if (author === undefined || author.remote !== undefined) return undefined;
  return replyAuthorizationAddress(addresses, author.username, id);
}

/** Undefined where one of the two is for nobody elsewhere. */
export function replyAuthorization(
  reader: Reader,
  addresses: Addresses,
  username: string,
  statusId: Id,
  replyId: Id,
): JsonObject | undefined {
  const [status, reply] = [statusId, replyId].map((id) => statusAddress(reader, addresses, id));
  if (status === undefined || reply === undefined) return undefined;
  return {
    id: replyAuthorizationAddress(addresses, username, replyId),
    type: 'ReplyAuthorization',
    attributedTo: addresses.actor(username),
    interactingObject: reply,
    interactionTarget: status,
  };
}
