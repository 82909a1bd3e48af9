/** Requests of remote accounts to reply to local statuses, and answers to ours (interaction policies of GoToSocial). */
import { Account } from '../../actors/account/account.messages.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findStatusRecord, hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import { destinationsOfAccounts } from '../destinations.ts';
import type { ActOf } from '../documents/acts.ts';
import { isSameHost } from '../documents/values.ts';
import { requestedReplyIdOf } from '../local-addresses.ts';
import {
  type Applied,
  callFor,
  type Inbound,
  type Outcome,
  type Received,
  type RemoteSource,
  type ResolvedStatus,
} from './inbound.ts';
import { receiveNote } from './notes.ts';
import { permissionToReply } from './reply-permission.ts';
import { findRecord, resolveStatus } from './resolve-status.ts';

type Request = ActOf<'requestReply'>;

interface Asked {
  readonly statusId: Id;
  readonly authorId: Id;
  readonly replyUri: string;
  readonly requestUri: string | undefined;
}

/** The reply is stored before it is decided about, except where it would be refused anyway. */
export function receiveReplyRequest(received: Received, request: Request): Applied {
  const { inbound, stamp, actor, source } = received;
  const { answered, replyUri } = request;
  const status = inbound.addresses.isLocal(answered) ? resolveStatus(inbound, answered) : undefined;
  if (status?.isLocal !== true || !isSameHost(replyUri, actor.uri)) return 'dropped';
  const asked = { statusId: status.statusId, authorId: status.authorId, replyUri, requestUri: stamp.uri };
  if (findRecord(inbound, replyUri) !== undefined) return ask(received, asked);
  if (!isConceivable(inbound, actor.id, status))
    return callFor(received, Account.receiveReplyRequest.to(actor.id, asked));
  if (request.note === undefined && source === undefined) return 'incomplete';
  return storeAndAsk(received, request, asked);
}

async function storeAndAsk(received: Received, request: Request, asked: Asked): Promise<Outcome> {
  const { actor, source } = received;
  const note = request.note ?? (await source?.note(asked.replyUri));
  if (note === undefined || note.uri !== asked.replyUri || !note.authors.includes(actor.uri)) return 'dropped';
  if (note.inReplyTo !== request.answered) return 'dropped';
  const stored = await receiveNote({ ...received, isRequest: true }, note);
  return stored === 'incomplete' ? stored : ask(received, asked);
}

function ask(received: Received, asked: Asked): Applied {
  const { inbound, actor } = received;
  const reply = findRecord(inbound, asked.replyUri);
  if (reply?.accountId !== actor.id || reply.inReplyToId !== asked.statusId) return 'dropped';
  return callFor(received, Account.receiveReplyRequest.to(actor.id, { ...asked, replyId: reply.id }));
}

/** As far as known here: the author decides finally when the reply is stored. */
function isConceivable(inbound: Inbound, replierId: Id, parent: ResolvedStatus): boolean {
  const { snapshots, now } = inbound;
  const status = findStatusRecord(snapshots, parent.statusId);
  if (status === undefined || !maySee(status, viewerOf(snapshots, replierId, now()))) return false;
  return permissionToReply(inbound, replierId, parent) !== 'denied';
}

type Answer = ActOf<'acceptReply' | 'rejectReply'>;

/** The reply is identified by its request, or by itself. The proof must be on the host of the actor. */
export function receiveReplyAnswer(received: Received, answer: Answer): Applied {
  const { inbound, actor } = received;
  const { requestUri, replyUri, authorization } = answer;
  const isAccepted = answer.kind === 'acceptReply';
  if (isAccepted && (authorization === undefined || !isSameHost(authorization, actor.uri))) return 'dropped';
  const reply =
    requestedReply(inbound, requestUri) ?? (replyUri === undefined ? undefined : findRecord(inbound, replyUri));
  if (reply === undefined && isAccepted) return receiveAccepted(received, answer);
  if (reply?.inReplyToAccountId !== actor.id) return 'dropped';
  if (reply.uri !== undefined) {
    const judged = {
      replyId: reply.id,
      by: actor.id,
      isAccepted,
      ...(isAccepted && { authorizationUri: authorization }),
    };
    return callFor(received, Account.replyJudged.to(reply.accountId, judged));
  }
  const mentioned = reply.mentions.map(({ id }) => id);
  const message = {
    replyId: reply.id,
    by: actor.id,
    isAccepted,
    destinations: destinationsOfAccounts(inbound.snapshots, [...new Set([...mentioned, actor.id])]),
    ...(isAccepted ? { authorizationUri: authorization } : {}),
  };
  return callFor(received, Account.receiveReplyAnswer.to(reply.accountId, message));
}

/** A reply by a third server that was dropped for want of the proof, which comes with the answer: it is fetched now. */
function receiveAccepted(received: Received, { replyUri, authorization }: Answer): Applied {
  const { inbound, actor, source } = received;
  if (replyUri === undefined || authorization === undefined || inbound.addresses.isLocal(replyUri)) return 'dropped';
  if (!hasLocalFollowers(inbound.snapshots, actor.id)) return 'dropped';
  return source === undefined ? 'incomplete' : fetchAccepted(received, replyUri, authorization, source);
}

async function fetchAccepted(
  received: Received,
  replyUri: string,
  replyAuthorization: string,
  source: RemoteSource,
): Promise<Outcome> {
  const { inbound, actor } = received;
  const note = await source.note(replyUri);
  if (note?.inReplyTo === undefined || note.uri !== replyUri || note.isVote) return 'dropped';
  if (resolveStatus(inbound, note.inReplyTo)?.authorId !== actor.id) return 'dropped';
  const uri = note.authors[0]!;
  const author = inbound.accounts.find(uri) ?? (await source.account(uri));
  if (author === undefined || author.isLocal || author.isSuspended) return 'dropped';
  return receiveNote({ ...received, actor: author, recipient: undefined }, { ...note, replyAuthorization });
}

function requestedReply({ addresses, snapshots }: Inbound, requestUri: string | undefined): Status | undefined {
  const replyId = requestUri === undefined ? undefined : requestedReplyIdOf(addresses, requestUri);
  return replyId === undefined ? undefined : findStatusRecord(snapshots, replyId);
}
