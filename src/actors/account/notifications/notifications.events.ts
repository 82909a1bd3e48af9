/** An account has a new notification. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType } from '../../../runtime/events/event.ts';
import { identifier } from '../account.records.ts';
import { NotificationType } from './notifications.records.ts';

export const notified = eventType(
  6,
  'notified',
  z.object({
    accountId: identifier,
    notificationId: identifier,
    type: NotificationType,
    fromId: identifier,
    statusId: identifier.optional(),
  }),
);
