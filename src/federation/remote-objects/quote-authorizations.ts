/**
 * Checks whether the authorization of a shown quote is still valid (FEP-044f): the quoted author's server publishes it
 * as a document, and may withdraw it without a Delete that reaches this server.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { Failure } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Inbound } from '../activities/inbound.ts';
import { statusAddress } from '../documents/quote-documents.ts';
import { readQuoteAuthorization } from '../documents/read-quote.ts';
import { fetchActivityDocument } from '../fetch-activity-document.ts';
import type { SignerOf } from './fetch-signers.ts';

export interface QuoteVerification {
  readonly inbound: Pick<Inbound, 'snapshots' | 'addresses' | 'client'>;
  readonly fetcher: Fetcher;
  readonly signer: SignerOf;
  /** The traced request that asked for it. */
  readonly cause?: string | undefined;
}

/** A server without a valid response decides nothing: the quote stays as it is. */
export async function verifyQuote({ inbound, fetcher, signer, cause }: QuoteVerification, quoteId: Id): Promise<void> {
  const { snapshots, addresses, client } = inbound;
  const status = findStatusRecord(snapshots, quoteId);
  const { accountId: by, statusId, state, authorizationUri: url } = status?.quote ?? {};
  if (status === undefined || by === undefined || statusId === undefined) return;
  if (state !== 'accepted' || url === undefined) return;
  const fetched = await fetchActivityDocument(fetcher, { url, signer: await signer() });
  if (!fetched.ok && fetched.kind !== 'gone' && fetched.kind !== 'notFound') return;
  const authorization = fetched.ok ? readQuoteAuthorization(fetched.document) : undefined;
  const holds =
    authorization !== undefined &&
    authorization.author === findProfile(snapshots, by)?.remote?.uri &&
    authorization.quote === statusAddress(snapshots, addresses, quoteId) &&
    authorization.quoted === statusAddress(snapshots, addresses, statusId);
  if (holds) return;
  const answer = Account.receiveQuoteAnswer.to(status.accountId, { quoteId, by, isAccepted: false });
  await client.call(answer, traced(flowOfHost(new URL(url).host), cause)).catch(onlyGone);
}

/** The status was deleted meanwhile. */
function onlyGone(error: unknown): void {
  if (!(error instanceof Failure && error.code === 'notFound')) throw error;
}
