/**
 * The proof that a reply to a status of another server is agreed to: a document on the host of that status' author. A local
 * author is asked instead.
 */
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { alwaysMayReply } from '../../actors/policy/replies.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import { isSameHost } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import type { KnownAccount } from '../known-accounts.ts';
import type { Inbound } from './inbound.ts';
import type { ReceivedPart } from './received-part.ts';
import { findRecord, resolveStatus } from './resolve-status.ts';

export const receivedConsent: ReceivedPart = {
  known(inbound, note, author) {
    const claim = claimOf(inbound, note, author);
    if (claim === undefined) return {};
    const isKnown = findRecord(inbound, note.uri)?.replyAuthorization === claim.uri;
    return isKnown ? { replyAuthorization: claim.uri } : 'incomplete';
  },
  async fetched(inbound, note, author, source) {
    const claim = claimOf(inbound, note, author);
    if (claim === undefined) return {};
    const found = await source.replyAuthorization(claim.uri).catch(ignoreFailure);
    const holds =
      found?.reply === note.uri &&
      found.author === claim.authorUri &&
      (found.answered === undefined || found.answered === claim.answeredUri);
    return holds ? { replyAuthorization: claim.uri } : {};
  },
  soFar: () => ({}),
};

interface Claim {
  readonly uri: string;
  readonly authorUri: string;
  readonly answeredUri: string | undefined;
}

/** Undefined where nothing has to be proved, and where it cannot be. */
function claimOf(inbound: Inbound, note: RemoteNote, author: KnownAccount): Claim | undefined {
  const { inReplyTo, replyAuthorization: uri } = note;
  if (inReplyTo === undefined || uri === undefined) return undefined;
  const parent = resolveStatus(inbound, inReplyTo);
  const answered = parent && findStatusRecord(inbound.snapshots, parent.statusId);
  if (parent?.isLocal !== false || answered?.replyApproval === undefined) return undefined;
  if (alwaysMayReply(answered, author.id)) return undefined;
  const authorUri = findProfile(inbound.snapshots, parent.authorId)?.remote?.uri;
  return authorUri !== undefined && isSameHost(uri, authorUri)
    ? { uri, authorUri, answeredUri: answered.uri }
    : undefined;
}
