/** New and edited remote statuses. */
import { Account } from '../../actors/account/account.messages.ts';
import { findStatusRecord, hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import type { ReceivedStatus } from '../../actors/account/remote/remote.messages.ts';
import { statusIdOfUri, viewerOf } from '../../actors/account/statuses/statuses.queries.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOfHost } from '../../services/services.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Addressees, addresseesOf } from './addressees.ts';
import {
  type Applied,
  done,
  type Inbound,
  type Outcome,
  type RemoteSource,
  type ResolvedStatus,
  type Stamp,
} from './inbound.ts';
import { receivedStatus } from './received-status.ts';
import { findRecord, resolveStatus } from './resolve-status.ts';
import { fetchedParts, partsOf, type ShownParts } from './shown-parts.ts';

/**
 * Stores a status published by its author where somebody here is concerned. `editId`: the id of the Update that brought
 * it, when the status was unknown. It may have arrived meanwhile: the actor decides.
 */
export function receiveNote(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource | undefined,
  edit?: Stamp,
): Applied {
  const { inReplyTo, quote } = note;
  const addressees = addresseesOf(inbound, note, author);
  const parent = inReplyTo === undefined ? undefined : resolveStatus(inbound, inReplyTo);
  const isRelevant =
    addressees.concernsLocal ||
    parent?.isLocal === true ||
    (quote !== undefined && resolveStatus(inbound, quote.uri)?.isLocal === true) ||
    hasLocalFollowers(inbound.snapshots, author.id);
  if (!isRelevant) return 'dropped';
  const parts = partsOf(inbound, note, author);
  const hasParent = inReplyTo === undefined || parent !== undefined || inbound.addresses.isLocal(inReplyTo);
  if (hasParent && parts !== 'incomplete') return store(inbound, note, author, { addressees, parent, parts }, edit);
  if (statusIdOfUri(inbound.snapshots, note.uri) !== undefined) return 'dropped';
  return source === undefined ? 'incomplete' : fetchAndStore(inbound, note, author, source, edit);
}

/** The post is shown at once, whether or not its parent and its quote can be fetched. */
async function fetchAndStore(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource,
  edit: Stamp | undefined,
): Promise<Outcome> {
  const { inReplyTo } = note;
  const known = inReplyTo === undefined ? undefined : resolveStatus(inbound, inReplyTo);
  const isUnknown = inReplyTo !== undefined && known === undefined && !inbound.addresses.isLocal(inReplyTo);
  const parent = isUnknown ? await source.status(inReplyTo).catch(onlyFailures) : known;
  const parts = await fetchedParts(inbound, note, author, source);
  return store(inbound, note, author, { addressees: addresseesOf(inbound, note, author), parent, parts }, edit);
}

function onlyFailures(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}

/** An edit of an unknown status counts as its publication, under the same conditions. */
export function receiveEdit(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource | undefined,
  stamp: Stamp,
): Applied {
  const known = findRecord(inbound, note.uri);
  if (known === undefined) return receiveNote(inbound, note, author, source, stamp);
  if (known.accountId !== author.id) return 'dropped';
  const parts = partsOf(inbound, note, author);
  if (parts === 'incomplete')
    return source === undefined ? 'incomplete' : fetchAndRevise(inbound, note, author, source, stamp);
  return reviseWith(inbound, note, author, parts, stamp);
}

async function fetchAndRevise(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource,
  stamp: Stamp,
): Promise<Outcome> {
  return reviseWith(inbound, note, author, await fetchedParts(inbound, note, author, source), stamp);
}

function reviseWith(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  parts: ShownParts,
  stamp: Stamp,
): Applied {
  const status = receivedStatus(inbound, note, addresseesOf(inbound, note, author), undefined, parts);
  if (status instanceof Promise) return done(status.then((cleaned) => revise(inbound, author, cleaned, stamp)));
  return done(revise(inbound, author, status, stamp));
}

function revise(
  { client, now }: Inbound,
  author: KnownAccount,
  status: ReceivedStatus,
  { uri: activityId }: Stamp,
): Promise<unknown> {
  const message = Account.receiveEdit.to(author.id, { status, receivedAt: now(), activityId });
  return client.call(message, flowOfHost(author.host));
}

/** Facts about a note that are not part of it. */
interface Around {
  readonly addressees: Addressees;
  readonly parent: ResolvedStatus | undefined;
  readonly parts: ShownParts;
}

function store(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  { addressees, parent, parts }: Around,
  edit: Stamp | undefined,
): Applied {
  const seen = parent !== undefined && mayAnswer(inbound, author, parent) ? parent : undefined;
  const status = receivedStatus(inbound, note, addressees, seen, parts);
  if (status instanceof Promise) return done(status.then((cleaned) => publish(inbound, author, cleaned, edit)));
  return done(publish(inbound, author, status, edit));
}

function publish(
  inbound: Inbound,
  author: KnownAccount,
  status: ReceivedStatus,
  edit: Stamp | undefined,
): Promise<unknown> {
  if (edit !== undefined) return revise(inbound, author, status, edit);
  const { client, now } = inbound;
  return client.call(Account.receive.to(author.id, { status, receivedAt: now() }), flowOfHost(author.host));
}

/** A reply to a status that its author may not see is ignored: it would be counted on somebody's private post. */
function mayAnswer({ snapshots, now }: Inbound, author: KnownAccount, parent: ResolvedStatus): boolean {
  if (parent.visibility === 'public' || parent.visibility === 'unlisted') return true;
  const status = findStatusRecord(snapshots, parent.statusId);
  return status !== undefined && maySee(status, viewerOf(snapshots, author.id, now()));
}
