/** The Notification entity. The status in it comes rendered: it carries marks of the viewer. */
import type { NotificationView } from '../../actors/account/notifications/notifications.queries.ts';
import type { Addresses } from '../../services/addresses.ts';
import { accountEntity } from './account.ts';
import { timestamp } from './status.ts';

export function notificationEntity(
  { id, notification, from }: NotificationView,
  status: Record<string, unknown> | undefined,
  addresses: Addresses,
): Record<string, unknown> {
  const entity: Record<string, unknown> = {
    id: id.toString(),
    type: notification.type,
    // Notifications of this kind of list stand alone.
    group_key: `ungrouped-${id}`,
    created_at: timestamp(notification.createdAt),
    account: accountEntity(from, addresses),
  };
  if (status !== undefined) entity.status = status;
  return entity;
}
