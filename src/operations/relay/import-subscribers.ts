/** Takes over the subscribers of another relay, which this one replaces at the same address. */
import { z } from 'zod';
import { relayLimits } from '../../actors/relay/limits.ts';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import type { Follower } from '../../actors/relay/relay.records.ts';
import { hostOf } from '../../federation/documents/values.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const address = z.string().max(2_048);
const Imported = z.object({
  inbox: address,
  /** Absent where the other relay did not keep it. */
  actor: address.optional(),
  followId: address.optional(),
  isFollower: z.boolean().default(false),
});
type Imported = z.infer<typeof Imported>;

const servers = z.array(z.string().max(255)).max(relayLimits.subscriptionsMax).default([]);

/** As many as one turn may write. */
const takenAtOnce = 1_000;

interface Subscriber {
  readonly host: string;
  readonly follower: Follower;
}

/** A subscriber that is left out, and why. */
export interface LeftOut {
  readonly inbox: string;
  readonly why: 'suspended' | 'elsewhere' | 'no address';
}

export interface ImportedSubscribers {
  readonly taken: number;
  readonly given: number;
  readonly leftOut: readonly LeftOut[];
  /** Servers that the other relay blocked or limited, and that are not suspended here: staff decide about them. */
  readonly blocked: readonly string[];
  readonly limited: readonly string[];
}

/** Those that are known already are left as they are; suspended ones, and those with an inbox on another host, are left out. */
export const importSubscribers = operation({
  input: z.object({
    subscribers: z.array(Imported).max(relayLimits.subscriptionsMax),
    blocked: servers,
    limited: servers,
  }),
  permission: 'manageFederation',
  audit: 'importSubscribers',
  async run({ caller, services, audit }, { subscribers: given, blocked, limited }): Promise<ImportedSubscribers> {
    if (services.options.relay === 'off') throw validationFailure('This server is no relay: see MURMURATION_RELAY.');
    const read = given.map((one) => subscriberOf(services, one));
    const usable = read.filter((one): one is Subscriber => 'host' in one);
    let taken = 0;
    for (let first = 0; first < usable.length; first += takenAtOnce) {
      const subscribers = usable.slice(first, first + takenAtOnce);
      const message = Relay.takeOver.to(relayKey, { subscribers, audit });
      taken += (await services.client.call(message, flowOf(caller))).taken;
    }
    const leftOut = read.filter((one): one is LeftOut => 'why' in one);
    const isFree = (host: string) => !domainPolicy(services).isSuspended(host);
    return { taken, given: given.length, leftOut, blocked: blocked.filter(isFree), limited: limited.filter(isFree) };
  },
});

function subscriberOf(services: Services, { inbox, actor: named, followId: id, isFollower }: Imported) {
  const [host, url] = [hostOf(inbox), URL.parse(inbox)];
  if (host === undefined || url === null) return { inbox, why: 'no address' } satisfies LeftOut;
  if (named !== undefined && hostOf(named) !== host) return { inbox, why: 'elsewhere' } satisfies LeftOut;
  if (domainPolicy(services).isSuspended(host)) return { inbox, why: 'suspended' } satisfies LeftOut;
  // Where Mastodon has its own actor, which is what subscribes to relays.
  const actor = named ?? new URL('/actor', url).href;
  const object = isFollower ? services.addresses.relayActor : 'https://www.w3.org/ns/activitystreams#Public';
  const follow = JSON.stringify({ ...(id !== undefined && { id }), type: 'Follow', actor, object });
  const form = isFollower ? ('actor' as const) : ('public' as const);
  return { host, follower: { form, actor, inbox, postsInbox: inbox, follow } };
}
