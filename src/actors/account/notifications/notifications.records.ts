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

/** Why many follows ended together: the account, or staff, have blocked a domain. */
export const severanceTypes = ['user_domain_block', 'domain_block'] as const;
export const Severance = z.object({
  type: z.enum(severanceTypes),
  /** The domain. */
  targetName: z.string(),
  followersCount: z.number(),
  followingCount: z.number(),
  /** Where it is stored which follows; absent where it is not. */
  severanceId: identifier.optional(),
});
export type Severance = z.infer<typeof Severance>;

/** What was done about an account that moderation warns: nothing besides. */
export const warningActions = ['none'] as const;
export const Warning = z.object({ action: z.enum(warningActions), text: z.string() });
export type Warning = z.infer<typeof Warning>;

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
  warning: Warning.optional(),
});
export type Notification = z.infer<typeof Notification>;
