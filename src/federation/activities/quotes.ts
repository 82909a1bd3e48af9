/** Requests of remote accounts to quote local statuses, and answers to ours (FEP-044f). */

import { Account } from '../../actors/account/account.messages.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { quotePermission } from '../../actors/policy/quotes.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import { destinationsOfAccounts } from '../destinations.ts';
import type { ActOf } from '../documents/acts.ts';
import { isSameHost } from '../documents/values.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { requestedQuoteIdOf } from '../local-addresses.ts';
import { type Applied, callFor, type Inbound, type Outcome, type Received } from './inbound.ts';
import { receiveNote } from './notes.ts';
import { findRecord, resolveStatus } from './resolve-status.ts';

type Request = ActOf<'requestQuote'>;

interface Asked {
  readonly statusId: Id;
  readonly authorId: Id;
  readonly quoteUri: string;
  readonly requestUri: string | undefined;
}

/** The quoting status is stored before its quote is decided, except where the request would be refused anyway. */
export function receiveQuoteRequest(received: Received, request: Request): Applied {
  const { inbound, stamp, actor, source } = received;
  const { quoted, quoteUri } = request;
  const status = inbound.addresses.isLocal(quoted) ? resolveStatus(inbound, quoted) : undefined;
  if (status?.isLocal !== true || !isSameHost(quoteUri, actor.uri)) return 'dropped';
  const asked = { statusId: status.statusId, authorId: status.authorId, quoteUri, requestUri: stamp.uri };
  if (findRecord(inbound, quoteUri) !== undefined) return ask(received, asked);
  if (!isAllowed(inbound, status.statusId, actor)) return refuse(received, asked);
  if (request.note === undefined && source === undefined) return 'incomplete';
  return storeAndAsk(received, request, asked);
}

async function storeAndAsk(received: Received, request: Request, asked: Asked): Promise<Outcome> {
  const { actor, source } = received;
  const note = request.note ?? (await source?.note(asked.quoteUri));
  if (note === undefined || note.uri !== asked.quoteUri || !note.authors.includes(actor.uri)) return 'dropped';
  const stored = await receiveNote(received, note);
  return stored === 'incomplete' ? stored : ask(received, asked);
}

function ask(received: Received, asked: Asked): Applied {
  const { inbound, actor } = received;
  const quote = findRecord(inbound, asked.quoteUri);
  if (quote?.accountId !== actor.id) return 'dropped';
  return callFor(received, Account.receiveQuoteRequest.to(actor.id, { ...asked, quoteId: quote.id }));
}

function refuse(received: Received, asked: Asked): Applied {
  return callFor(received, Account.receiveQuoteRequest.to(received.actor.id, asked));
}

/** As far as known here: the author decides finally when the status is stored. */
function isAllowed({ snapshots, now }: Inbound, statusId: Id, actor: KnownAccount): boolean {
  const status = findStatusRecord(snapshots, statusId);
  const viewer = viewerOf(snapshots, actor.id, now());
  if (status === undefined || !maySee(status, viewer)) return false;
  const isFollowedBy = (authorId: Id) => viewerOf(snapshots, authorId, now()).follows(actor.id);
  const follows = (authorId: Id) => viewer.follows(authorId);
  return quotePermission(status, { accountId: actor.id, follows, isFollowedBy }) === 'automatic';
}

type Answer = ActOf<'acceptQuote' | 'rejectQuote'>;

/**
 * The request is identified by its id, or by the quoting status. The authorization must be on the host of the actor.
 */
export function receiveQuoteAnswer(received: Received, answer: Answer): Applied {
  const { inbound, actor } = received;
  const { requestUri, quoteUri, authorization } = answer;
  const isAccepted = answer.kind === 'acceptQuote';
  if (isAccepted && (authorization === undefined || !isSameHost(authorization, actor.uri))) return 'dropped';
  const named = quoteUri === undefined ? undefined : findRecord(inbound, quoteUri);
  const quote = requestedQuote(inbound, requestUri) ?? named;
  if (quote === undefined || quote.uri !== undefined) return 'dropped';
  const mentioned = quote.mentions.map(({ id }) => id);
  const destinations = destinationsOfAccounts(inbound.snapshots, [...mentioned, actor.id]);
  const message = {
    quoteId: quote.id,
    by: actor.id,
    destinations,
    isAccepted,
    ...(isAccepted ? { authorizationUri: authorization } : {}),
  };
  return callFor(received, Account.receiveQuoteAnswer.to(quote.accountId, message));
}

function requestedQuote({ addresses, snapshots }: Inbound, requestUri: string | undefined): Status | undefined {
  const quoteId = requestUri === undefined ? undefined : requestedQuoteIdOf(addresses, requestUri);
  return quoteId === undefined ? undefined : findStatusRecord(snapshots, quoteId);
}
