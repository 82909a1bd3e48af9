/** Requests of remote accounts to quote local statuses, and answers to ours (FEP-044f). */
import { Account } from '../../actors/account/account.messages.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { viewerOf } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { quotePermission } from '../../actors/policy/quotes.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import { destinationsOfAccounts } from '../destinations.ts';
import type { ActOf } from '../documents/acts.ts';
import { isSameHost } from '../documents/values.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { requestedQuoteIdOf } from '../local-addresses.ts';
import { type Applied, done, type Inbound, type Outcome, type RemoteSource, type Stamp } from './inbound.ts';
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
export function receiveQuoteRequest(
  inbound: Inbound,
  request: Request,
  stamp: Stamp,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Applied {
  const { quoted, quoteUri } = request;
  const status = inbound.addresses.isLocal(quoted) ? resolveStatus(inbound, quoted) : undefined;
  if (status?.isLocal !== true || !isSameHost(quoteUri, actor.uri)) return 'dropped';
  const asked = { statusId: status.statusId, authorId: status.authorId, quoteUri, requestUri: stamp.uri };
  if (findRecord(inbound, quoteUri) !== undefined) return ask(inbound, asked, actor);
  if (!isAllowed(inbound, status.statusId, actor)) return refuse(inbound, asked, actor);
  if (request.note === undefined && source === undefined) return 'incomplete';
  return storeAndAsk(inbound, request, asked, actor, source);
}

async function storeAndAsk(
  inbound: Inbound,
  request: Request,
  asked: Asked,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Promise<Outcome> {
  const note = request.note ?? (await source?.note(asked.quoteUri));
  if (note === undefined || note.uri !== asked.quoteUri || !note.authors.includes(actor.uri)) return 'dropped';
  const stored = await receiveNote(inbound, note, actor, source);
  return stored === 'incomplete' ? stored : ask(inbound, asked, actor);
}

function ask(inbound: Inbound, asked: Asked, actor: KnownAccount): Applied {
  const quote = findRecord(inbound, asked.quoteUri);
  if (quote?.accountId !== actor.id) return 'dropped';
  const message = Account.receiveQuoteRequest.to(actor.id, { ...asked, quoteId: quote.id });
  return done(inbound.client.call(message, flowOfHost(actor.host)));
}

function refuse({ client }: Inbound, asked: Asked, actor: KnownAccount): Applied {
  return done(client.call(Account.receiveQuoteRequest.to(actor.id, asked), flowOfHost(actor.host)));
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
export function receiveQuoteAnswer(inbound: Inbound, answer: Answer, actor: KnownAccount): Applied {
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
  return done(inbound.client.call(Account.receiveQuoteAnswer.to(quote.accountId, message), flowOfHost(actor.host)));
}

function requestedQuote({ addresses, snapshots }: Inbound, requestUri: string | undefined): Status | undefined {
  const quoteId = requestUri === undefined ? undefined : requestedQuoteIdOf(addresses, requestUri);
  return quoteId === undefined ? undefined : findStatusRecord(snapshots, quoteId);
}
