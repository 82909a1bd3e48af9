/** Takes over the subscribers of another relay, which this one replaces at the same address. */
import { z } from 'zod';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const address = z.url({ protocol: /^https?$/ }).max(2_048);

const importedAtOnceMax = 2_000;

/** Those that are known already, suspended, or whose inbox is on another host than their actor, are left out. */
export const importSubscribers = operation({
  input: z.object({
    subscribers: z
      .array(z.object({ inbox: address, actor: address, followId: address, isFollower: z.boolean().default(false) }))
      .max(importedAtOnceMax),
  }),
  permission: 'manageFederation',
  audit: 'importSubscribers',
  async run({ caller, services, audit }, { subscribers }): Promise<{ taken: number; given: number }> {
    if (services.options.relay === 'off') throw validationFailure('This server is no relay: see MURMURATION_RELAY.');
    const usable = subscribers.flatMap(({ inbox, actor, followId, isFollower }) => {
      const { host } = new URL(inbox);
      if (host !== new URL(actor).host || domainPolicy(services).isSuspended(host)) return [];
      const form = isFollower ? ('actor' as const) : ('public' as const);
      const object = isFollower ? services.addresses.relayActor : 'https://www.w3.org/ns/activitystreams#Public';
      const follow = JSON.stringify({ id: followId, type: 'Follow', actor, object });
      return [{ host, follower: { form, actor, inbox, postsInbox: inbox, follow } }];
    });
    const message = Relay.takeOver.to(relayKey, { subscribers: usable, audit });
    const { taken } = await services.client.call(message, flowOf(caller));
    return { taken, given: subscribers.length };
  },
});
