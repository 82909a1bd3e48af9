/** Activities of quotes: requesting, accepting, rejecting and revoking (FEP-044f). */
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { quoteAuthorizationAddress, quoteRequestAddress } from '../local-addresses.ts';
import { publicDelete } from './activities.ts';
import { quoteRequestContext } from './contexts.ts';
import { accountAddress, noteDocument } from './note-document.ts';
import type { IntentOf, Renderings, Translating } from './translating.ts';

export const quoteActivities: Renderings<'quoteRequest' | 'acceptQuote' | 'rejectQuote' | 'revokeQuote'> = {
  quoteRequest,
  acceptQuote: (intent, translating) => quoteAnswer('Accept', intent, translating),
  rejectQuote: (intent, translating) => quoteAnswer('Reject', intent, translating),
  revokeQuote: quoteRevocation,
};

/** The status is embedded: a server to which it is not addressed could not fetch it. */
function quoteRequest(
  { statusId, quotedUri }: IntentOf<'quoteRequest'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const status = findStatusRecord(reader, statusId);
  if (status === undefined) return undefined;
  return {
    '@context': quoteRequestContext,
    id: quoteRequestAddress(addresses, username, status.id),
    type: 'QuoteRequest',
    actor,
    object: quotedUri,
    instrument: noteDocument(reader, addresses, status, username),
  };
}

/** Undefined when the requester was deleted. */
function quoteAnswer(
  type: 'Accept' | 'Reject',
  { activityId, targetId, statusId, quoteId, quoteUri, requestUri }: IntentOf<'acceptQuote' | 'rejectQuote'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const quoter = accountAddress(reader, addresses, targetId);
  if (quoter === undefined) return undefined;
  const request = {
    type: 'QuoteRequest',
    actor: quoter,
    object: addresses.status(username, statusId),
    instrument: quoteUri,
  };
  const isAccepted = type === 'Accept' && quoteId !== undefined;
  return {
    '@context': quoteRequestContext,
    id: addresses.activity(activityId),
    type,
    actor,
    to: [quoter],
    object: requestUri === undefined ? request : { id: requestUri, ...request },
    ...(isAccepted ? { result: quoteAuthorizationAddress(addresses, username, quoteId) } : {}),
  };
}

function quoteRevocation({ activityId, quoteId }: IntentOf<'revokeQuote'>, translating: Translating): JsonObject {
  const { addresses, username } = translating;
  return publicDelete(activityId, quoteAuthorizationAddress(addresses, username, quoteId), translating);
}
