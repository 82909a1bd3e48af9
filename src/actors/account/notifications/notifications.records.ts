/** What is kept of a notification. */
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
]);
export type NotificationType = z.infer<typeof NotificationType>;

export const Notification = z.object({
  type: NotificationType,
  accountId: identifier,
  statusId: identifier.optional(),
  createdAt: z.number(),
  /** The hour in which its group began (groups.ts); absent for one that stands alone. */
  groupHour: z.number().optional(),
});
export type Notification = z.infer<typeof Notification>;
