/** What is kept of filtered notifications, and of the requests that they make. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';
import { Notification } from '../notifications/notifications.records.ts';

export const FilteredNotification = z.object({
  notification: Notification,
  /** Of a private mention: the thread of the conversation that it continues once it is accepted. */
  threadId: identifier.optional(),
});
export type FilteredNotification = z.infer<typeof FilteredNotification>;

/** A sender whose mentions were filtered. Its id is that of the first of these mentions. */
export const NotificationRequest = z.object({
  fromId: identifier,
  /** Filtered mentions of the sender from that id on. */
  mentions: z.number(),
  /** Of the newest of them. */
  lastStatusId: identifier.optional(),
  updatedAt: z.number(),
});
export type NotificationRequest = z.infer<typeof NotificationRequest>;

/** An answered request: what was filtered of the sender before it is moved among the notifications, or removed. */
export const Settlement = z.object({ fromId: identifier, isAccepted: z.boolean() });
