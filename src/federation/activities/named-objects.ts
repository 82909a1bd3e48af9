/** Objects that an activity names by their address only: fetched from their server, where somebody here wants them. */
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import type { KnownAccount } from '../known-accounts.ts';
import type { Applied, Inbound, Outcome, RemoteSource, Stamp } from './inbound.ts';
import { receiveEdit, receiveNote } from './notes.ts';
import { findRecord } from './resolve-status.ts';

export function receiveNamed(
  inbound: Inbound,
  kind: 'publishNamed' | 'editNamed',
  uri: string,
  actor: KnownAccount,
  source: RemoteSource | undefined,
  stamp: Stamp,
): Applied {
  const isKnown = uri === actor.uri || findRecord(inbound, uri) !== undefined;
  // Only its text would tell whom a new status concerns, so it is fetched only if its author is followed here.
  const isWanted = kind === 'editNamed' ? isKnown : !isKnown && hasLocalFollowers(inbound.snapshots, actor.id);
  if (!isWanted) return 'dropped';
  return source === undefined ? 'incomplete' : fetchNamed(inbound, kind, uri, actor, source, stamp);
}

async function fetchNamed(
  inbound: Inbound,
  kind: 'publishNamed' | 'editNamed',
  uri: string,
  actor: KnownAccount,
  source: RemoteSource,
  stamp: Stamp,
): Promise<Outcome> {
  if (uri === actor.uri) return (await source.account(uri)) === undefined ? 'dropped' : 'done';
  const note = await source.note(uri);
  if (note === undefined || note.isVote || !note.authors.includes(actor.uri)) return 'dropped';
  return kind === 'editNamed'
    ? receiveEdit(inbound, note, actor, source, stamp)
    : receiveNote(inbound, note, actor, source);
}

/** The edit is attributed to its author, because it is fetched from the server of the status. */
export function refreshStatus(inbound: Inbound, uri: string, source: RemoteSource | undefined, stamp: Stamp): Applied {
  if (inbound.addresses.isLocal(uri) || findRecord(inbound, uri) === undefined) return 'dropped';
  return source === undefined ? 'incomplete' : fetchEdit(inbound, uri, source, stamp);
}

async function fetchEdit(inbound: Inbound, uri: string, source: RemoteSource, stamp: Stamp): Promise<Outcome> {
  const note = await source.note(uri);
  const author = note === undefined ? undefined : inbound.accounts.find(note.authors[0]!);
  return note === undefined || author === undefined ? 'dropped' : receiveEdit(inbound, note, author, source, stamp);
}
