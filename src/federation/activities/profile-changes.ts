/** The Update of an actor by itself. */
import { Directory } from '../../actors/directory/directory.messages.ts';
import type { ActOf } from '../documents/acts.ts';
import type { RemoteActor } from '../documents/read-actor.ts';
import { type Applied, callFor, type Outcome, type Received } from './inbound.ts';
import { receiveNamed } from './named-objects.ts';
import { profileOf } from './profile.ts';

/** A changed username must be confirmed by the actor's server: the actor is fetched as if it were unknown. */
export function receiveProfile(received: Received, { actor: changed }: ActOf<'changeProfile'>): Applied {
  const { username, uri } = received.actor;
  return changed.username === username ? learn(received, changed) : receiveNamed(received, { kind: 'editNamed', uri });
}

async function learn(received: Received, changed: RemoteActor): Promise<Outcome> {
  const { signedAt } = received.stamp;
  const { cleanHtml, now } = received.inbound;
  const { username, host, uri, keyId } = received.actor;
  const profile = await profileOf(cleanHtml, changed, { username, host }, now(), keyId);
  return callFor(received, Directory.learn.to(uri, { profile, signedAt }));
}
