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
]);
export type NotificationType = z.infer<typeof NotificationType>;

export const Notification = z.object({
  type: NotificationType,
  accountId: identifier,
  statusId: identifier.optional(),
  createdAt: z.number(),
});
export type Notification = z.infer<typeof Notification>;

/** How far somebody has read a timeline (markers of the Mastodon API). */
export const Marker = z.object({ lastReadId: identifier, version: z.number(), updatedAt: z.number() });

export const Markers = z.object({ notifications: Marker.optional() });
export type Markers = z.infer<typeof Markers>;
