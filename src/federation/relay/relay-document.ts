/** The relay as an actor: what subscribers find at the address that administrators enter, or verify signatures with. */
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Addresses } from '../../services/addresses.ts';
import { relayFollowers, relayKeyId, relayOutbox } from '../local-addresses.ts';

export const relayUsername = 'relay';

/**
 * Without `endpoints`: servers recognise what the relay announces by its `inbox`, which has to be exactly the address
 * that administrators enter.
 */
export function relayActorDocument(addresses: Addresses, title: string, publicKeyPem: string): JsonObject {
  const id = addresses.relayActor;
  return {
    id,
    type: 'Application',
    preferredUsername: relayUsername,
    webfinger: `${relayUsername}@${addresses.domain}`,
    name: `${title} relay`,
    summary: 'Passes public posts on to the servers that subscribe. Add its inbox as a relay to your server.',
    url: `${addresses.origin}/relay/status`,
    manuallyApprovesFollowers: true,
    discoverable: false,
    inbox: addresses.relayInbox,
    outbox: relayOutbox(addresses),
    followers: relayFollowers(addresses),
    publicKey: { id: relayKeyId(addresses), owner: id, publicKeyPem },
  };
}
