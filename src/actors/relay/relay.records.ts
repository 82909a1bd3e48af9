/** Records of the relay: who subscribes to it, and what it passes on. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account/account.records.ts';

/**
 * What is passed on in one direction. Absent fields do not restrict; each list that is given must name something of the
 * post. A Delete or a Move is restricted by servers only.
 */
export const RelayFilter = z.object({
  /** Names of tags, in lower case, without the sign. */
  tags: z.array(z.string()).optional(),
  /** ISO 639-1, in lower case. */
  languages: z.array(z.string()).optional(),
  /** Hosts of authors; each stands for its subdomains too. */
  onlyServers: z.array(z.string()).optional(),
  exceptServers: z.array(z.string()).optional(),
  mediaOnly: z.boolean().optional(),
  noBots: z.boolean().optional(),
  noSensitive: z.boolean().optional(),
});
export type RelayFilter = z.infer<typeof RelayFilter>;

/**
 * `allowed`: named by staff, has not subscribed yet. `pending`: waits for staff. `confirming`: accepted, and the relay's
 * own Follow waits for an answer (LitePub). `refused`: by staff; asks in vain.
 */
export const subscriptionStates = ['active', 'pending', 'confirming', 'allowed', 'refused'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** `public`: followed everything public, as Mastodon does. `actor`: followed the relay's actor, as LitePub has it. */
export const subscriptionForms = ['public', 'actor'] as const;
export type SubscriptionForm = (typeof subscriptionForms)[number];

/** A Follow of the relay, by the actor of a server. */
export const Follower = z.object({
  form: z.enum(subscriptionForms),
  /** The id of the actor. */
  actor: z.string(),
  /** Where answers go. */
  inbox: z.string(),
  /** Where posts go: the shared inbox, or the same. */
  postsInbox: z.string(),
  /** The Follow as received, in JSON: answers repeat it. */
  follow: z.string(),
});
export type Follower = z.infer<typeof Follower>;

export const Subscription = z.object({
  /** The host[:port] of the subscriber. */
  host: z.string(),
  /** Names its lane. Never reused. */
  number: z.number(),
  state: z.enum(subscriptionStates),
  createdAt: z.number(),
  /** Absent while the server has never asked. */
  follower: Follower.optional(),
  /** Gets what the log has from this sequence on. */
  from: z.number().optional(),
  /** What it gets, and what is taken from it. */
  takes: RelayFilter.optional(),
  gives: RelayFilter.optional(),
  /** Whether it takes a signature that is not made for its host; absent where that was not tried. */
  takesShared: z.boolean().optional(),
});
export type Subscription = z.infer<typeof Subscription>;

/** Reads the entries of a log up to what all readers have passed. */
export const RelayReader = z.object({ reader: z.number(), readers: z.number(), floor: z.number() });

/** One record: where the log and the numbers of subscriptions stand. */
export const RelayState = z.object({
  nextSequence: z.number(),
  nextNumber: z.number(),
  /** Of the bodies in the log. */
  logBytes: z.number(),
  /** What had to make room although it was not too old, and the newest of it. */
  overwritten: z.number(),
  overwrittenThrough: z.number(),
  readers: z.array(RelayReader),
  /** How far the sweep of names has come in its present round. */
  sweptThrough: identifier.optional(),
  /** False once no name is left of those that earlier versions have stored. */
  hasFormerNames: z.boolean().optional(),
});
export type RelayState = z.infer<typeof RelayState>;

export const emptyRelayState: RelayState = {
  nextSequence: 1,
  nextNumber: 1,
  logBytes: 0,
  overwritten: 0,
  overwrittenThrough: 0,
  readers: [],
};

export const relayedTypes = ['Create', 'Update', 'Delete', 'Announce', 'Move'] as const;
export type RelayedType = (typeof relayedTypes)[number];

/** What filters look at. */
export const RelayTraits = z.object({
  tags: z.array(z.string()),
  language: z.string().optional(),
  hasMedia: z.boolean(),
  isSensitive: z.boolean(),
  isBot: z.boolean(),
});
export type RelayTraits = z.infer<typeof RelayTraits>;

/** A public activity of somebody, to be passed on. */
export const Relayed = z.object({
  type: z.enum(relayedTypes),
  id: z.string(),
  /** The id of its actor. */
  author: z.string(),
  /** The id of its object. */
  object: z.string(),
  /** The host[:port] that brought it: it gets nothing back. */
  from: z.string(),
  /** The activity as received, where it carries a signature of its own; without it only its object is announced. */
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array).optional(),
  traits: RelayTraits,
});
export type Relayed = z.infer<typeof Relayed>;

/** `names`: under which it is known, its id and that of a new object. */
export const ReceivedPost = z.object({ relayed: Relayed, names: z.array(z.string()) });
export type ReceivedPost = z.infer<typeof ReceivedPost>;

/** It is not sent after `expiresAt`. */
export const RelayLogEntry = Relayed.extend({ at: z.number(), expiresAt: z.number() });
export type RelayLogEntry = z.infer<typeof RelayLogEntry>;
