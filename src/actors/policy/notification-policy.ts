/**
 * How an account treats notifications of unknown senders (behaviour of the Mastodon API): each rule accepts, filters
 * (into a notification request) or drops those it applies to. The strictest applicable rule decides.
 */
import { z } from 'zod';
import type { NotificationType } from '../account/notifications/notifications.records.ts';
import { type Profile, Role, roles } from '../account/profile/profile.records.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
const newAccountMilliseconds = 30 * dayMilliseconds;
/** A follower for less than this does not count as one: a spammer follows first. */
export const newFollowerMilliseconds = 3 * dayMilliseconds;

export const treatments = ['accept', 'filter', 'drop'] as const;
export const Treatment = z.enum(treatments);
export type Treatment = z.infer<typeof Treatment>;

export const NotificationPolicy = z.object({
  forNotFollowing: Treatment,
  forNotFollowers: Treatment,
  forNewAccounts: Treatment,
  forPrivateMentions: Treatment,
  forLimitedAccounts: Treatment,
  forBots: Treatment,
});
export type NotificationPolicy = z.infer<typeof NotificationPolicy>;

/** The policy of an account that has chosen none; docs/decisions explains the rule for private mentions. */
export const defaultNotificationPolicy: NotificationPolicy = {
  forNotFollowing: 'accept',
  forNotFollowers: 'accept',
  forNewAccounts: 'accept',
  forPrivateMentions: 'accept',
  forLimitedAccounts: 'filter',
  forBots: 'accept',
};

/**
 * Traits of a sender that the recipient cannot look up: sent along by its actor or the gateway, which have its profile.
 */
export const SenderTraits = z.object({
  isNew: z.boolean(),
  isLimited: z.boolean(),
  isBot: z.boolean(),
  /** For local accounts. */
  role: Role,
  /** For remote accounts. */
  domain: z.string().optional(),
  /** Whether it reaches this recipient as staff, where either has a role that was added: turns do not know what those may do. */
  isAbove: z.boolean().optional(),
});
export type SenderTraits = z.infer<typeof SenderTraits>;

const ordinary: SenderTraits = { isNew: false, isLimited: false, isBot: false, role: 'user' };

/** The same, with what was looked up about both. */
export function withRank(sender: SenderTraits | undefined, isAbove: boolean | undefined): SenderTraits | undefined {
  return isAbove === undefined ? sender : { ...(sender ?? ordinary), isAbove };
}

/** Undefined for most local accounts, which have no special trait. */
export function senderTraitsOf(
  { createdAt, limited, bot, role, domain }: Profile,
  now: number,
): SenderTraits | undefined {
  const isNew = createdAt > now - newAccountMilliseconds;
  const ownRole = domain === undefined ? role : 'user';
  if (!isNew && !limited && !bot && ownRole === 'user' && domain === undefined) return undefined;
  return { isNew, isLimited: limited, isBot: bot, role: ownRole, domain };
}

/** What the recipient knows of a sender, looked up only where a rule needs it. */
export interface Sender {
  readonly traits: SenderTraits | undefined;
  isFollowed(): boolean;
  hasFollowedForLong(): boolean;
  /** Whether this is a private mention that does not reply to anything the recipient wrote to the sender. */
  isUnsolicited(): boolean;
}

const rules: Readonly<Record<keyof NotificationPolicy, (sender: Sender, traits: SenderTraits) => boolean>> = {
  forNotFollowing: (sender) => !sender.isFollowed(),
  forNotFollowers: (sender) => !sender.hasFollowedForLong(),
  forNewAccounts: (sender, { isNew }) => isNew && !sender.isFollowed(),
  forPrivateMentions: (sender) => !sender.isFollowed() && sender.isUnsolicited(),
  forLimitedAccounts: (sender, { isLimited }) => isLimited && !sender.isFollowed(),
  forBots: (sender, { isBot }) => isBot && !sender.isFollowed(),
};
const ruleNames = NotificationPolicy.keyof().options;

export function treatmentBy(policy: NotificationPolicy, sender: Sender): Treatment {
  const { traits = ordinary } = sender;
  let treatment: Treatment = 'accept';
  for (const name of ruleNames) {
    const wanted = policy[name];
    if (wanted === 'accept' || wanted === treatment || !rules[name](sender, traits)) continue;
    if (wanted === 'drop') return 'drop';
    treatment = 'filter';
  }
  return treatment;
}

const filterableTypes: ReadonlySet<NotificationType> = new Set([
  'mention',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'quote',
  'added_to_collection',
]);

/**
 * Notifications that the user asked for (`status`, `poll`, `update`, `quoted_update`, `collection_update`), those for staff
 * and those from the account itself are never filtered.
 */
export function isFilterable(type: NotificationType): boolean {
  return filterableTypes.has(type);
}

/** Whether a filtered notification makes a request, or is only kept with an existing one. */
export function makesRequest(type: NotificationType): boolean {
  return type === 'mention' || type === 'quote';
}

/** Staff reach accounts with a lower role, whatever their policy. */
export function outranks(sender: SenderTraits | undefined, recipient: Role): boolean {
  const { role, isAbove } = sender ?? ordinary;
  if (isAbove !== undefined) return isAbove;
  return role !== 'user' && roles.indexOf(role) > roles.indexOf(recipient);
}
