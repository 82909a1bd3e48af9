/** The record of a notification. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const NotificationType = z.enum([
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'severed_relationships',
  'added_to_collection',
  'collection_update',
  'admin.sign_up',
  'admin.report',
  'moderation_warning',
]);
export type NotificationType = z.infer<typeof NotificationType>;

/** Why many follows ended together: the account, or staff, have blocked a domain, or staff have suspended an account. */
export const severanceTypes = ['user_domain_block', 'domain_block', 'account_suspension'] as const;
export const Severance = z.object({
  type: z.enum(severanceTypes),
  /** The domain, or user@host. */
  targetName: z.string(),
  followersCount: z.number(),
  followingCount: z.number(),
  /** Where it is stored which follows; absent where it is not. */
  severanceId: identifier.optional(),
});
export type Severance = z.infer<typeof Severance>;

/** What staff have done about an account or its statuses (behaviour of the Mastodon API). Names are stored: append-only. */
export const warningActions = [
  ...(['none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend'] as const),
] as const;
export type WarningAction = (typeof warningActions)[number];

/** A strike: what was done, why, and what led to it. */
const said = { action: z.enum(warningActions), text: z.string() };
const cause = {
  statusIds: z.array(identifier).optional(),
  reportId: identifier.optional(),
  /** The account that decided; absent for the command line. */
  byId: identifier.optional(),
};
export const Warning = z.object({ ...said, ...cause });
export type Warning = z.infer<typeof Warning>;

/** What the account says against its strike, and what staff have decided about that. Times are milliseconds since 1970. */
export const Appeal = z.object({
  appealId: identifier,
  text: z.string(),
  at: z.number(),
  /** Absent while it waits. An approved one overrules the strike. */
  decidedAt: z.number().optional(),
  isApproved: z.boolean().optional(),
  /** The account that decided; absent for the command line. */
  decidedById: identifier.optional(),
});
export type Appeal = z.infer<typeof Appeal>;

/** As it is stored. */
export const KeptWarning = z.object({ ...said, createdAt: z.number(), ...cause, appeal: Appeal.optional() });
export type KeptWarning = z.infer<typeof KeptWarning>;

export const Notification = z.object({
  type: NotificationType,
  accountId: identifier,
  statusId: identifier.optional(),
  createdAt: z.number(),
  /** The hour in which its group began (policy/notification-groups.ts); absent for one without a group. */
  groupHour: z.number().optional(),
  severance: Severance.optional(),
  /** The collection that it is about. */
  collectionId: identifier.optional(),
  /** The report that it is about. */
  reportId: identifier.optional(),
  warning: Warning.extend({ appeal: Appeal.optional() }).optional(),
});
export type Notification = z.infer<typeof Notification>;
