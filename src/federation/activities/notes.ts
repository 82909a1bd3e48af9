/** New and edited remote statuses. */

import { Account } from '../../actors/account/account.messages.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findStatusRecord, hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import type { ReceivedStatus } from '../../actors/account/remote/remote.messages.ts';
import { statusIdOfUri } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Permission } from '../../actors/policy/approval.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import { ignoreFailure } from '../failures.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Addressees, addresseesOf } from './addressees.ts';
import {
  type Applied,
  callFor,
  type Inbound,
  type Outcome,
  type Received,
  type RemoteSource,
  type ResolvedStatus,
} from './inbound.ts';
import { onePerId } from './one-per-id.ts';
import type { ReceivedFields } from './received-part.ts';
import { fetchedParts, knownParts, partsConcernLocal, partsOfEdit } from './received-parts.ts';
import { type AroundNote, receivedStatus } from './received-status.ts';
import { permissionToReply, takesProof } from './reply-permission.ts';
import { findRecord, resolveStatus } from './resolve-status.ts';

/**
 * Stores a status published by its author, the actor, where somebody here is concerned. An id that is known, even of a
 * neighbour whose account is in another partition, stays that of what came first.
 */
export function receiveNote(received: Received, note: RemoteNote): Applied {
  if (statusIdOfUri(received.inbound.snapshots, note.uri) !== undefined) return receiveAgain(received, note);
  return receive(publish, received, note);
}

/** What is stored already may be for one more account. */
function receiveAgain(received: Received, note: RemoteNote): Applied {
  const { inbound, actor: author, recipient } = received;
  if (recipient === undefined) return 'dropped';
  const found = addresseesOf(inbound, note, author, recipient);
  const isAtHome = findRecord(inbound, note.uri)?.answersUnknown !== true;
  const { addressed, localMentions } = isAtHome ? found : allNotified(found);
  if (!addressed.includes(recipient.id)) return 'dropped';
  return addressLate(received, note.uri, recipient.id, localMentions);
}

/** How a status is stored: as published, or as edited where it arrives with an Update. */
type StoreAs = (received: Received, status: ReceivedStatus) => Promise<Outcome>;

function receive(storeAs: StoreAs, received: Received, note: RemoteNote): Applied {
  const { inbound, actor: author, source, recipient, relay } = received;
  const { inReplyTo } = note;
  const addressees = addresseesOf(inbound, note, author, recipient);
  const parent = inReplyTo === undefined ? undefined : resolveStatus(inbound, inReplyTo);
  const isRelevant =
    addressees.concernsLocal ||
    parent?.isLocal === true ||
    partsConcernLocal(inbound, note) ||
    hasLocalFollowers(inbound.snapshots, author.id) ||
    (parent !== undefined && hasLocalFollowers(inbound.snapshots, parent.authorId)) ||
    (relay !== undefined && addressees.visibility === 'public');
  if (!isRelevant) return 'dropped';
  const parts = knownParts(inbound, note, author);
  if (hasParent(inbound, note, parent) && parts !== 'incomplete')
    return store(storeAs, received, note, { addressees, parent, parts });
  return source === undefined ? 'incomplete' : fetchAndStore(storeAs, received, note, parent, source);
}

/** The post is shown at once, whether or not its parent and its parts can be fetched. */
async function fetchAndStore(
  storeAs: StoreAs,
  received: Received,
  note: RemoteNote,
  known: ResolvedStatus | undefined,
  source: RemoteSource,
): Promise<Outcome> {
  const { inbound, actor: author, recipient } = received;
  const isUnknown = !hasParent(inbound, note, known);
  const parent = isUnknown ? await source.status(note.inReplyTo!).catch(ignoreFailure) : known;
  const parts = await fetchedParts(inbound, note, author, source);
  // Accounts that it names may have become known meanwhile.
  const addressees = addresseesOf(inbound, note, author, recipient);
  return store(storeAs, received, note, { addressees, parent, parts });
}

/** Also where what it answers was deleted here; false where it may be fetched. */
function hasParent({ addresses }: Inbound, { inReplyTo }: RemoteNote, known: ResolvedStatus | undefined): boolean {
  return inReplyTo === undefined || known !== undefined || addresses.isLocal(inReplyTo);
}

/** An edit of an unknown status counts as its publication, under the same conditions; not of a suspended author. */
export function receiveEdit(received: Received, note: RemoteNote): Applied {
  const { inbound, actor: author, source } = received;
  const known = findRecord(inbound, note.uri);
  if (known === undefined) return author.isSuspended ? 'dropped' : receive(publishEdited, received, note);
  if (known.accountId !== author.id) return 'dropped';
  const parts = knownParts(inbound, note, author);
  if (parts !== 'incomplete') return reviseWith(received, note, known, parts);
  if (source === undefined) return 'incomplete';
  return fetchedParts(inbound, note, author, source).then((fetched) => reviseWith(received, note, known, fetched));
}

function reviseWith(received: Received, note: RemoteNote, known: Status, found: ReceivedFields): Applied {
  const { inbound, actor } = received;
  const parts = { ...found, ...partsOfEdit(inbound, note, known) };
  const around = { addressees: addresseesOf(inbound, note, actor), parent: undefined, parts };
  return storeCleaned(revise, received, receivedStatus(inbound, note, around));
}

function revise(received: Received, status: ReceivedStatus): Promise<Outcome> {
  const { inbound, actor, stamp } = received;
  const message = { status, receivedAt: inbound.now(), activityId: stamp.uri };
  return callFor(received, Account.receiveStatusEdit.to(actor.id, message));
}

/** An edit of an unknown status. */
function publishEdited(received: Received, status: ReceivedStatus): Promise<Outcome> {
  return onePerId(received, status.uri, revise(received, status));
}

function store(storeAs: StoreAs, received: Received, note: RemoteNote, around: AroundNote): Applied {
  const { inbound, actor } = received;
  const { parent } = around;
  const consent = { claimed: note.replyAuthorization, proved: around.parts.replyAuthorization };
  const permission = parent === undefined ? 'automatic' : permissionToReply(inbound, actor.id, parent, consent);
  if (permission === 'denied') return 'dropped';
  const seen = parent !== undefined && mayAnswer(inbound, actor, parent) ? parent : undefined;
  const isAtHome = note.inReplyTo === undefined || seen !== undefined;
  const addressees = isAtHome ? around.addressees : allNotified(around.addressees);
  const parts = seen?.isLocal === true ? { ...around.parts, ...askingFor(received, seen, permission) } : around.parts;
  return storeCleaned(storeAs, received, receivedStatus(inbound, note, { addressees, parent: seen, parts }));
}

/** What the author of a local parent is asked for: consent, or a proof of it for third servers. */
function askingFor(
  { inbound, actor, isRequest }: Received,
  parent: ResolvedStatus,
  permission: Permission,
): ReceivedFields {
  if (permission === 'manual') return { waitsForConsent: true };
  // A request is answered by itself.
  return isRequest !== true && takesProof(inbound, actor.id, parent) ? { needsConsent: true } : {};
}

/** What answers something unknown is in no home: followers to whom it is addressed would not learn of it (decision 47). */
function allNotified(addressees: Addressees): Addressees {
  const { visibility, localMentions, addressed } = addressees;
  if (visibility !== 'direct') return addressees;
  return { ...addressees, localMentions: [...new Set([...localMentions, ...addressed])] };
}

function storeCleaned(
  storeAs: StoreAs,
  received: Received,
  status: ReceivedStatus | Promise<ReceivedStatus>,
): Promise<Outcome> {
  return status instanceof Promise ? status.then((cleaned) => storeAs(received, cleaned)) : storeAs(received, status);
}

function publish(received: Received, status: ReceivedStatus): Promise<Outcome> {
  const { inbound, actor } = received;
  const stored = callFor(received, Account.receiveStatus.to(actor.id, { status, receivedAt: inbound.now() }));
  const published = onePerId(received, status.uri, stored);
  if (received.recipient === undefined) return published;
  return published.then((outcome) => addressAlso(received, status, outcome));
}

/** Another delivery of the same status, to somebody else, may have been first. */
function addressAlso(received: Received, status: ReceivedStatus, outcome: Outcome): Applied {
  const addresseeId = received.recipient?.id;
  if (addresseeId === undefined || status.addressed?.includes(addresseeId) !== true) return outcome;
  return addressLate(received, status.uri, addresseeId, status.localMentions);
}

function addressLate(received: Received, uri: string, addresseeId: Id, notifiedIds: readonly Id[]): Promise<Outcome> {
  const message = { uri, addresseeId, isNotified: notifiedIds.includes(addresseeId) };
  return callFor(received, Account.receiveAddressee.to(received.actor.id, message));
}

/** A reply to a status that its author may not see is ignored: it would be counted on somebody's private post. */
function mayAnswer({ snapshots, now }: Inbound, author: KnownAccount, parent: ResolvedStatus): boolean {
  if (parent.visibility === 'public' || parent.visibility === 'unlisted') return true;
  const status = findStatusRecord(snapshots, parent.statusId);
  return status !== undefined && maySee(status, viewerOf(snapshots, author.id, now()));
}
