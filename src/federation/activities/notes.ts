/** New and edited statuses of other servers. */
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

/**
 * A status that its author published, kept where somebody here is concerned. `editId`: it came as an edit of a status that
 * was not here, with the id of that activity. Meanwhile the status may have come: the actor decides.
 */
export function receiveNote(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource | undefined,
  edit?: Stamp,
): Applied {
  const { inReplyTo } = note;
  const addressees = addresseesOf(inbound, note, author);
  const parent = inReplyTo === undefined ? undefined : resolveStatus(inbound, inReplyTo);
  const isRelevant =
    addressees.concernsLocal || parent?.isLocal === true || hasLocalFollowers(inbound.snapshots, author.id);
  if (!isRelevant) return 'dropped';
  if (inReplyTo === undefined || parent !== undefined || inbound.addresses.isLocal(inReplyTo)) {
    return store(inbound, note, author, addressees, parent, edit);
  }
  if (statusIdOfUri(inbound.snapshots, note.uri) !== undefined) return 'dropped';
  return source === undefined ? 'incomplete' : storeAsAnswer(inbound, note, author, inReplyTo, source, edit);
}

/** The post is shown at once, whatever becomes of what it answers. */
async function storeAsAnswer(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  inReplyTo: string,
  source: RemoteSource,
  edit: Stamp | undefined,
): Promise<Outcome> {
  const parent = await source.status(inReplyTo).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return store(inbound, note, author, addresseesOf(inbound, note, author), parent, edit);
}

/** An edit of a status that never came counts as its publication, under the same conditions. */
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
  const status = receivedStatus(inbound, note, addresseesOf(inbound, note, author), undefined);
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

function store(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  addressees: Addressees,
  parent: ResolvedStatus | undefined,
  edit: Stamp | undefined,
): Applied {
  const seen = parent !== undefined && mayAnswer(inbound, author, parent) ? parent : undefined;
  const status = receivedStatus(inbound, note, addressees, seen);
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

/** An answer to what its author cannot see is none: it would count beside somebody's private post. */
function mayAnswer({ snapshots, now }: Inbound, author: KnownAccount, parent: ResolvedStatus): boolean {
  if (parent.visibility === 'public' || parent.visibility === 'unlisted') return true;
  const status = findStatusRecord(snapshots, parent.statusId);
  return status !== undefined && maySee(status, viewerOf(snapshots, author.id, now()));
}
