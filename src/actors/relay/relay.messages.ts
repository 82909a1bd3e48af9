/** Messages to the relay. There is one relay actor, with the key `relay`. Message numbers 420 to 449. */
import { z } from 'zod';
import { call, cast, contract } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { audited } from '../audit.records.ts';
import { relayKind } from '../kinds.ts';
import { LaneProgress } from '../partition/partition.records.ts';
import { joinedMessages } from './joined/joined.messages.ts';
import { Follower, ReceivedPost, RelayFilter, Subscription, subscriptionStates } from './relay.records.ts';

export { relayKey } from './relay.key.ts';

const subscriptionModes = ['open', 'approval', 'allow-list'] as const;
export type SubscriptionMode = (typeof subscriptionModes)[number];

const host = z.string();

export const Relay = contract(relayKind, {
  /** The actor of a server follows the relay. The reply is the state of its subscription; absent where it has none. */
  follow: call(
    420,
    z.object({ host, follower: Follower, mode: z.enum(subscriptionModes) }),
    z.object({ state: z.enum(subscriptionStates).optional() }),
  ),
  /** Answers the Follow of an actor that cannot subscribe. */
  refuse: call(421, z.object({ host, follower: Follower, reason: z.string() }), z.undefined()),
  /** A server does not want to be a subscriber any more. Repeating changes nothing. */
  leave: call(422, z.object({ host }), z.undefined()),
  /** A server has accepted the relay's Follow. */
  confirmed: call(423, z.object({ host }), z.undefined()),
  /** Staff admit a server, whether it has asked or not. Throws Failure validation above the bound. */
  admit: call(424, z.object({ host, ...audited }), Subscription),
  /** Staff refuse a server: it gets nothing, and asks in vain. Throws Failure notFound. */
  reject: call(425, z.object({ host, reason: z.string().optional(), ...audited }), Subscription),
  /** Staff remove a subscription: the server may ask again. Throws Failure notFound. */
  remove: call(426, z.object({ host, ...audited }), Subscription),
  /** Replaces what it gets, or what is taken from it; an absent one stays. Throws Failure notFound. */
  setFilters: call(
    427,
    z.object({ host, takes: RelayFilter.optional(), gives: RelayFilter.optional(), ...audited }),
    Subscription,
  ),
  /** The progress of a thread's lanes; below `floor` it needs nothing. The reply says whether there is more to trim. */
  progressed: call(
    429,
    z.object({ reader: z.number(), readers: z.number(), lanes: z.array(LaneProgress), floor: z.number() }),
    z.object({ more: z.boolean() }),
  ),
  /** Whether a subscriber takes a signature that is not made for its host. */
  signatureLearned: call(430, z.object({ host, takesShared: z.boolean() }), z.undefined()),
  /** Takes over the subscribers of another relay at the same address, without a word to them; those known stay. */
  takeOver: call(
    431,
    z.object({ subscribers: z.array(z.object({ host, follower: Follower })), ...audited }),
    z.object({ taken: z.number() }),
  ),
  /**
   * Verified activities of subscribers' users, in their order: each is logged once, whoever brings it. The reply says of each
   * whether it is new.
   */
  publish: call(
    441,
    z.object({ posts: z.array(ReceivedPost), ageMilliseconds: z.number(), logBytesMax: z.number() }),
    z.object({ areNew: z.array(z.boolean()) }),
  ),
  /** Tells subscribers that the relay has another key, some of them at a time; `after`: the number of the last one. */
  tellOfKey: cast(440, z.object({ activityId: identifier, after: z.number().optional() })),
  ...joinedMessages,
});
