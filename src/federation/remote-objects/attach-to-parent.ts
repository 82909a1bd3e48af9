/** Makes a reply of a remote status whose parent was unknown when it arrived, and is known now. */
import { Account } from '../../actors/account/account.messages.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { traced } from '../../runtime/flow.ts';
import type { Inbound, RemoteSource, ResolvedStatus } from '../activities/inbound.ts';
import { receivedConsent } from '../activities/received-consent.ts';
import { type KnownConsent, permissionToReply, takesProof } from '../activities/reply-permission.ts';
import { resolveStatus } from '../activities/resolve-status.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import { ignoreFailure } from '../failures.ts';

interface Attaching {
  /** What the status answers, by its own document. */
  readonly parentUri: string;
  /** Its document, where it was just fetched. */
  readonly note?: RemoteNote;
  readonly source: RemoteSource;
  readonly flow: string;
}

/** True where it answers nothing unknown any more. */
export async function attachToParent(inbound: Inbound, status: Status, attaching: Attaching): Promise<boolean> {
  const { parentUri, source, flow } = attaching;
  const parent = resolveStatus(inbound, parentUri);
  // A reply that its author may not see would be counted on somebody's private post; and a thread is no circle.
  if (parent === undefined || !isForEverybody(parent) || parent.threadId === status.id) return false;
  const consent = await consentTo(inbound, status, parent, attaching);
  if (permissionToReply(inbound, status.accountId, parent, consent) !== 'automatic') return false;
  const { statusId: parentId, authorId: parentAuthorId, threadId } = parent;
  const { proved } = consent;
  const proof = proved === undefined ? {} : { replyAuthorization: proved };
  const message = { statusId: status.id, parentId, parentAuthorId, threadId, ...proof };
  await inbound.client
    .call(Account.attachReply.to(status.accountId, message), traced(flow, source.cause))
    .catch(ignoreFailure);
  return true;
}

/** Nothing could be proved before the parent was known: what the reply says of it is read again. */
async function consentTo(
  inbound: Inbound,
  status: Status,
  parent: ResolvedStatus,
  { note: fetched, source }: Attaching,
): Promise<KnownConsent> {
  if (!takesProof(inbound, status.accountId, parent)) return {};
  const note = fetched ?? (await source.note(status.uri!).catch(ignoreFailure));
  const author = note && inbound.accounts.find(note.authors[0]!);
  const isOwn = note?.uri === status.uri && author?.id === status.accountId;
  if (note === undefined || author === undefined || !isOwn) return { claimed: status.uri };
  const found = await receivedConsent.fetched!(inbound, note, author, source);
  return { claimed: note.replyAuthorization, proved: found.replyAuthorization };
}
