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
import { type Carried, done, type Inbound, type Outcome, type RemoteSource, type StatusPlace } from './inbound.ts';
import { findPlace, findRecord } from './places.ts';
import { receivedStatus } from './received-status.ts';

/** A status that its author published, kept where somebody here is concerned. */
export function receiveNote(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  const { inReplyTo } = note;
  if (inbound.withdrawn.has(author.uri, note.uri)) return 'dropped';
  const addressees = addresseesOf(inbound, note, author);
  const parent = inReplyTo === undefined ? undefined : findPlace(inbound, inReplyTo);
  const isRelevant =
    addressees.concernsLocal || parent?.isLocal === true || hasLocalFollowers(inbound.snapshots, author.id);
  if (!isRelevant) return 'dropped';
  if (inReplyTo === undefined || parent !== undefined || inbound.addresses.isLocal(inReplyTo)) {
    return store(inbound, note, author, addressees, parent);
  }
  if (statusIdOfUri(inbound.snapshots, note.uri) !== undefined) return 'dropped';
  return source === undefined ? 'incomplete' : storeAsAnswer(inbound, note, author, inReplyTo, source);
}

/** The post is shown at once, whatever becomes of what it answers. */
async function storeAsAnswer(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  inReplyTo: string,
  source: RemoteSource,
): Promise<Outcome> {
  const parent = await source.status(inReplyTo).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  // It may have been deleted in the meantime.
  if (inbound.withdrawn.has(author.uri, note.uri)) return 'dropped';
  return store(inbound, note, author, addresseesOf(inbound, note, author), parent);
}

/** An edit of a status that never came counts as its publication, under the same conditions. */
export function receiveEdit(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  const known = findRecord(inbound, note.uri);
  if (known === undefined) return receiveNote(inbound, note, author, source);
  if (known.accountId !== author.id) return 'dropped';
  const status = receivedStatus(inbound, note, addresseesOf(inbound, note, author), undefined);
  if (status instanceof Promise) return done(status.then((cleaned) => edit(inbound, author, cleaned)));
  return done(edit(inbound, author, status));
}

function edit({ client, now }: Inbound, author: KnownAccount, status: ReceivedStatus): Promise<unknown> {
  return client.call(Account.receiveEdit.to(author.id, { status, receivedAt: now() }), flowOfHost(author.host));
}

function store(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  addressees: Addressees,
  parent: StatusPlace | undefined,
): Carried {
  const seen = parent !== undefined && mayAnswer(inbound, author, parent) ? parent : undefined;
  const status = receivedStatus(inbound, note, addressees, seen);
  if (status instanceof Promise) return done(status.then((cleaned) => publish(inbound, author, cleaned)));
  return done(publish(inbound, author, status));
}

/** What was withdrawn while it was being stored, when there was nothing to delete yet, is deleted now. */
async function publish(inbound: Inbound, author: KnownAccount, status: ReceivedStatus): Promise<void> {
  const { client, now, withdrawn } = inbound;
  const { uri } = status;
  const flow = flowOfHost(author.host);
  await client.call(Account.receive.to(author.id, { status, receivedAt: now() }), flow);
  if (withdrawn.has(author.uri, uri)) await client.call(Account.receiveDelete.to(author.id, { uri }), flow);
}

/** An answer to what its author cannot see is none: it would count beside somebody's private post. */
function mayAnswer({ snapshots, now }: Inbound, author: KnownAccount, parent: StatusPlace): boolean {
  if (parent.visibility === 'public' || parent.visibility === 'unlisted') return true;
  const status = findStatusRecord(snapshots, parent.statusId);
  return status !== undefined && maySee(status, viewerOf(snapshots, author.id, now()));
}
