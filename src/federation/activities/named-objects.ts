/** Objects that an activity names by their address only: fetched from their server, where somebody here wants them. */
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import type { ActOf } from '../documents/acts.ts';
import { type Audience, isPublic } from '../documents/audience.ts';
import { type Applied, localAccount, type Outcome, type Received, type RemoteSource } from './inbound.ts';
import { receiveEdit, receiveNote } from './notes.ts';
import { findRecord } from './resolve-status.ts';

type Named = ActOf<'publishNamed' | 'editNamed'>;

export function receiveNamed(received: Received, named: Named): Applied {
  const { inbound, actor, source } = received;
  const { uri } = named;
  const isKnown = uri === actor.uri || findRecord(inbound, uri) !== undefined;
  const isWanted = named.kind === 'editNamed' ? isKnown : !isKnown && mayConcern(received, named.audience);
  if (!isWanted) return 'dropped';
  return source === undefined ? 'incomplete' : fetchNamed(received, named, source);
}

/** Only its text would tell whom a new status mentions; its author is followed here, or it is for somebody here. */
function mayConcern({ inbound, actor, recipient }: Received, audience: Audience): boolean {
  if (hasLocalFollowers(inbound.snapshots, actor.id)) return true;
  if (recipient !== undefined && !isPublic(audience)) return true;
  return [...audience.to, ...audience.cc].some((name) => localAccount(inbound, name) !== undefined);
}

async function fetchNamed(received: Received, { kind, uri }: Named, source: RemoteSource): Promise<Outcome> {
  const { actor } = received;
  if (uri === actor.uri) return (await source.account(uri)) === undefined ? 'dropped' : 'done';
  const note = await source.note(uri);
  if (note === undefined || note.isVote || !note.authors.includes(actor.uri)) return 'dropped';
  return kind === 'editNamed' ? receiveEdit(received, note) : receiveNote(received, note);
}

/** The edit is attributed to its author, because it is fetched from the server of the status. */
export function refreshStatus(received: Received, { uri }: ActOf<'refresh'>): Applied {
  const { inbound, source } = received;
  if (inbound.addresses.isLocal(uri) || findRecord(inbound, uri) === undefined) return 'dropped';
  return source === undefined ? 'incomplete' : fetchEdit(received, uri, source);
}

async function fetchEdit(received: Received, uri: string, source: RemoteSource): Promise<Outcome> {
  const note = await source.note(uri);
  const actor = note === undefined ? undefined : received.inbound.accounts.find(note.authors[0]!);
  return note === undefined || actor === undefined ? 'dropped' : receiveEdit({ ...received, actor }, note);
}
