/** The Update of an actor by itself. */
import { Directory } from '../../actors/directory/directory.messages.ts';
import { flowOfHost } from '../../services/services.ts';
import type { RemoteActor } from '../documents/read-actor.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Applied, done, type Inbound, type RemoteSource, type Stamp } from './inbound.ts';
import { receiveNamed } from './named-objects.ts';
import { profileOf } from './profile.ts';

/** A changed username must be confirmed by the actor's server: the actor is fetched as if it were unknown. */
export function receiveProfile(
  inbound: Inbound,
  changed: RemoteActor,
  actor: KnownAccount,
  source: RemoteSource | undefined,
  stamp: Stamp,
): Applied {
  const keepsName = changed.username === actor.username;
  if (!keepsName) return receiveNamed(inbound, 'editNamed', actor.uri, actor, source, stamp);
  return done(learn(inbound, changed, actor));
}

async function learn({ client, cleanHtml, now }: Inbound, changed: RemoteActor, actor: KnownAccount): Promise<void> {
  const handle = { username: actor.username, host: actor.host };
  const profile = await profileOf(cleanHtml, changed, handle, now(), actor.keyId);
  await client.call(Directory.learn.to(actor.uri, { profile }), flowOfHost(actor.host));
}
