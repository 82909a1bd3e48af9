/** Records of filtered notifications and of notification requests. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';
import { Notification } from './notifications.records.ts';

export const FilteredNotification = z.object({
  notification: Notification,
  /** Of a private mention: the thread of the conversation that it joins once accepted. */
  threadId: identifier.optional(),
  /** Whether it counts in the request of its sender. Absent in records of versions in which only mentions did. */
  isRequested: z.boolean().optional(),
});
export type FilteredNotification = z.infer<typeof FilteredNotification>;

export function isRequested({ notification, isRequested: said }: FilteredNotification): boolean {
  return said ?? notification.type === 'mention';
}

/** A sender whose mentions or quotes were filtered. Its id is that of the first of them. */
export const NotificationRequest = z.object({
  fromId: identifier,
  /** Filtered mentions and quotes of the sender since that id. */
  mentions: z.number(),
  /** The status of the newest of them. */
  lastStatusId: identifier.optional(),
  updatedAt: z.number(),
});
export type NotificationRequest = z.infer<typeof NotificationRequest>;

/** An answered request: notifications filtered before it are moved to the ordinary ones, or removed. */
export const Settlement = z.object({ fromId: identifier, isAccepted: z.boolean() });
