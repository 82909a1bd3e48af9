/**
 * The quote in a remote status, and whether it is authorised (FEP-044f): quoting oneself always is, local authors are
 * asked when it is stored, and remote authors publish a document on their own host.
 */

import type { Quote } from '../../actors/account/quotes/quotes.records.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import { isSameHost } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { approvalOf } from './approval.ts';
import type { Inbound, RemoteSource, ResolvedStatus } from './inbound.ts';
import type { ReceivedFields, ReceivedPart } from './received-part.ts';
import { findRecord, resolveStatus } from './resolve-status.ts';

export const receivedQuote: ReceivedPart = {
  concernsLocal: (inbound, { quote }) => quote !== undefined && resolveStatus(inbound, quote.uri)?.isLocal === true,
  known(inbound, note, author) {
    if (note.quote === undefined) return quoting(note, author, undefined);
    const quoted = resolveStatus(inbound, note.quote.uri);
    if (quoted === undefined)
      return inbound.addresses.isLocal(note.quote.uri) ? quoting(note, author, undefined) : 'incomplete';
    const judged = judge(inbound, note, author, quoted);
    return judged === 'unverified' ? 'incomplete' : quoting(note, author, judged);
  },
  /** A quoted status that cannot be fetched is no quote; one without an authorization is not authorised. */
  async fetched(inbound, note, author, source) {
    const { uri } = note.quote!;
    const quoted = resolveStatus(inbound, uri) ?? (await source.quoted(uri).catch(ignoreFailure));
    if (quoted === undefined) return quoting(note, author, undefined);
    const judged = judge(inbound, note, author, quoted);
    if (judged !== 'unverified') return quoting(note, author, judged);
    const isAuthorized = await isAuthorizedBy(inbound, note, quoted, source);
    return quoting(note, author, quoteOf(note, quoted, isAuthorized ? 'accepted' : 'pending'));
  },
  soFar: (_inbound, note, author) => quoting(note, author, undefined),
  ofEdit: (inbound, note, stored) => ({ unquotedId: unquotedBy(inbound, note, stored) }),
};

function quoting(note: RemoteNote, author: KnownAccount, quote: Quote | undefined): ReceivedFields {
  return { quote, quoteApproval: approvalOf(note.quoteApproval, author) };
}

/** The status that the stored version quotes and the note does not; undefined where it still does. */
function unquotedBy(inbound: Inbound, note: RemoteNote, { quote: kept }: Status): Id | undefined {
  if (kept === undefined || note.quotesTombstone) return undefined;
  if (note.quote === undefined) return kept.statusId;
  const named = resolveStatus(inbound, note.quote.uri);
  // What is unknown here is another status, unless the one quoted so far is not known any more either.
  const isOther =
    named === undefined
      ? findStatusRecord(inbound.snapshots, kept.statusId) !== undefined
      : named.statusId !== kept.statusId;
  return isOther ? kept.statusId : undefined;
}

/** Quoting a status that its author may not see is ignored: it would reveal a private post. */
function judge(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  quoted: ResolvedStatus,
): Quote | undefined | 'unverified' {
  const { snapshots, now } = inbound;
  const status = findStatusRecord(snapshots, quoted.statusId);
  if (status === undefined || !maySee(status, viewerOf(snapshots, author.id, now()))) return undefined;
  if (quoted.authorId === author.id) return quoteOf(note, quoted, 'accepted');
  if (quoted.isLocal) return quoteOf(note, quoted, 'pending');
  const { authorization } = note.quote!;
  const kept = findRecord(inbound, note.uri)?.quote;
  const isKept = kept?.statusId === quoted.statusId && kept.authorizationUri === authorization;
  if (authorization !== undefined && isKept && kept.state !== 'pending') return kept;
  const authorUri = uriOf(inbound, quoted);
  const isPlausible = authorization !== undefined && authorUri !== undefined && isSameHost(authorization, authorUri);
  return isPlausible ? 'unverified' : quoteOf(note, quoted, 'pending');
}

function quoteOf({ quote }: RemoteNote, { statusId, authorId }: ResolvedStatus, state: Quote['state']): Quote {
  const { authorization, isLegacy } = quote!;
  return {
    statusId,
    accountId: authorId,
    state,
    ...(state === 'accepted' && authorization !== undefined ? { authorizationUri: authorization } : {}),
    ...(isLegacy ? { isLegacy } : {}),
  };
}

async function isAuthorizedBy(
  inbound: Inbound,
  note: RemoteNote,
  quoted: ResolvedStatus,
  source: RemoteSource,
): Promise<boolean> {
  const uri = note.quote?.authorization;
  const found = uri === undefined ? undefined : await source.quoteAuthorization(uri).catch(ignoreFailure);
  const quotedUri = findStatusRecord(inbound.snapshots, quoted.statusId)?.uri;
  return (
    found !== undefined &&
    found.quote === note.uri &&
    found.quoted === quotedUri &&
    found.author === uriOf(inbound, quoted)
  );
}

function uriOf({ snapshots }: Inbound, { authorId }: ResolvedStatus): string | undefined {
  return findProfile(snapshots, authorId)?.remote?.uri;
}
