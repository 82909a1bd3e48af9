/** What the relays that this server joins say about that. */
import { allJoinedRelays } from '../../actors/relay/joined/joined.queries.ts';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import type { FollowReference } from '../documents/acts.ts';
import { isSameHost } from '../documents/values.ts';
import { activityIdOf } from '../local-addresses.ts';
import { type Applied, callFor, type Received } from './inbound.ts';

/** Undefined where no relay is meant. An answer is recognised by the id of the Follow, and must come from the relay's host. */
export function relayAnswered(received: Received, { uri }: FollowReference, isAccepted: boolean): Applied | undefined {
  const { inbound, actor } = received;
  const followId = uri === undefined ? undefined : activityIdOf(inbound.addresses, uri);
  if (followId === undefined) return undefined;
  const relay = allJoinedRelays(inbound.snapshots).find((joined) => joined.followId === followId);
  if (relay === undefined) return undefined;
  if (!isSameHost(actor.uri, relay.inbox)) return 'dropped';
  return callFor(received, Relay.answered.to(relayKey, { followId, actor: actor.uri, isAccepted }));
}

/** In the form of LitePub a relay follows the server that has followed it. Undefined for anybody else. */
export function relayFollowedBack(received: Received): Applied | undefined {
  const { inbound, actor, stamp } = received;
  const relay = allJoinedRelays(inbound.snapshots).find((joined) => joined.actor === actor.uri);
  if (relay === undefined || stamp.uri === undefined) return undefined;
  const object = inbound.addresses.instanceActor;
  const follow = JSON.stringify({ id: stamp.uri, type: 'Follow', actor: actor.uri, object });
  return callFor(received, Relay.followedBack.to(relayKey, { id: relay.id, actor: actor.uri, follow }));
}
