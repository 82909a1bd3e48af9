/** The Notification entity. The status in it comes rendered: it carries marks of the viewer. */
import { z } from 'zod';
import type { NotificationView } from '../../actors/account/notifications/notifications.queries.ts';
import type { Addresses } from '../../services/addresses.ts';
import { AccountEntity, accountEntity } from './account.ts';
import { timestamp } from './status.ts';
import { UserStatusEntity } from './status-schema.ts';
import { id, text, time } from './values.ts';

const notificationFields = { id, group_key: text.min(1), created_at: time, account: AccountEntity };

/** Only what is about a status has one. */
export const NotificationEntity = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['follow', 'follow_request']), ...notificationFields }),
    z.strictObject({
      type: z.enum(['mention', 'status', 'reblog', 'favourite', 'update']),
      ...notificationFields,
      status: UserStatusEntity,
    }),
  ])
  .meta({ id: 'Notification' });

export function notificationEntity(
  { id: notificationId, notification, from }: NotificationView,
  status: Record<string, unknown> | undefined,
  addresses: Addresses,
): Record<string, unknown> {
  const entity: Record<string, unknown> = {
    id: notificationId.toString(),
    type: notification.type,
    // Notifications of this kind of list stand alone.
    group_key: `ungrouped-${notificationId}`,
    created_at: timestamp(notification.createdAt),
    account: accountEntity(from, addresses),
  };
  if (status !== undefined) entity.status = status;
  return entity;
}
