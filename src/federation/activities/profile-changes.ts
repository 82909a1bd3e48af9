/** The Update of an actor by itself. */
import { Directory } from '../../actors/directory/directory.messages.ts';
import type { ActOf } from '../documents/acts.ts';
import type { RemoteActor } from '../documents/read-actor.ts';
import { type Applied, callFor, type Outcome, type Received, type RemoteSource } from './inbound.ts';
import { isMoveUnshown, showMove } from './moves.ts';
import { receiveNamed } from './named-objects.ts';
import { profileOf } from './profile.ts';

/**
 * A changed username must be confirmed by the actor's server: the actor is fetched as if it were unknown. An account
 * that it names as its new one is fetched as well.
 */
export function receiveProfile(received: Received, { actor: changed }: ActOf<'changeProfile'>): Applied {
  const { actor, inbound, source } = received;
  if (changed.username !== actor.username) return receiveNamed(received, { kind: 'editNamed', uri: actor.uri });
  if (!isMoveUnshown(inbound, actor, changed.movedTo)) return learn(received, changed);
  return source === undefined ? 'incomplete' : learnMoved(received, changed, source);
}

async function learnMoved(received: Received, changed: RemoteActor, source: RemoteSource): Promise<Outcome> {
  const outcome = await learn(received, changed);
  const { inbound, actor, cause } = received;
  const uri = changed.movedTo!;
  await showMove(inbound, actor, { uri, cause, fetch: () => source.account(uri) });
  return outcome;
}

async function learn(received: Received, changed: RemoteActor): Promise<Outcome> {
  const { signedAt } = received.stamp;
  const { cleanHtml, now } = received.inbound;
  const { username, host, uri, keyId } = received.actor;
  const profile = await profileOf(cleanHtml, changed, { username, host }, now(), keyId);
  return callFor(received, Directory.learn.to(uri, { profile, signedAt }));
}
