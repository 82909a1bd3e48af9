/**
 * What an account wants to hear of senders whom it does not know (behaviour of the Mastodon API): each rule accepts what it
 * applies to, filters it into a request, or drops it. The strictest of the rules that apply decides.
 */
import { z } from 'zod';
import type { NotificationType } from '../account/notifications/notifications.records.ts';
import { type Profile, Role, roles } from '../account/profile/profile.records.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
const newAccountMilliseconds = 30 * dayMilliseconds;
/** Whoever has followed for less counts as no follower: a spammer follows first. */
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

/** Of an account that has chosen nothing: see docs/decisions for private mentions. */
export const defaultNotificationPolicy: NotificationPolicy = {
  forNotFollowing: 'accept',
  forNotFollowers: 'accept',
  forNewAccounts: 'accept',
  forPrivateMentions: 'accept',
  forLimitedAccounts: 'filter',
  forBots: 'accept',
};

/** What others cannot know of a sender, told with what it does: its own actor, or the gateway, has the profile. */
export const SenderTraits = z.object({
  isNew: z.boolean(),
  isLimited: z.boolean(),
  isBot: z.boolean(),
  /** Of a local account. */
  role: Role,
  /** Of a remote account. */
  domain: z.string().optional(),
});
export type SenderTraits = z.infer<typeof SenderTraits>;

const ordinary: SenderTraits = { isNew: false, isLimited: false, isBot: false, role: 'user' };

/** Undefined for most local accounts, of which there is nothing to tell. */
export function senderTraitsOf(
  { createdAt, limited, bot, role, domain }: Profile,
  now: number,
): SenderTraits | undefined {
  const isNew = createdAt > now - newAccountMilliseconds;
  const ownRole = domain === undefined ? role : 'user';
  if (!isNew && !limited && !bot && ownRole === 'user' && domain === undefined) return undefined;
  return { isNew, isLimited: limited, isBot: bot, role: ownRole, domain };
}

/** What the recipient knows of a sender, looked up only where a rule asks. */
export interface Sender {
  readonly traits: SenderTraits | undefined;
  isFollowed(): boolean;
  hasFollowedForLong(): boolean;
  /** Whether the notification is of a private mention that answers nothing which the recipient wrote to the sender. */
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

/** Of what one asked for oneself (`status`, `poll`, `update`, `quoted_update`, `collection_update`) everything is shown. */
export function isFilterable(type: NotificationType): boolean {
  return filterableTypes.has(type);
}

/** Whether a filtered notification becomes a request, or is only kept with one. */
export function asksToBeHeard(type: NotificationType): boolean {
  return type === 'mention';
}

/** Staff reaches those whose role is lower, whatever their policy. */
export function outranks(sender: SenderTraits | undefined, recipient: Role): boolean {
  const { role } = sender ?? ordinary;
  return role !== 'user' && roles.indexOf(role) > roles.indexOf(recipient);
}
