/** The endpoints of notifications, single and grouped. */
import { postClear } from './clear-notifications.ts';
import { unreadCountEndpoints } from './count-unread.ts';
import { postDismiss } from './dismiss-notification.ts';
import { getNotification } from './get-notification.ts';
import { getNotifications } from './get-notifications.ts';
import { groupedNotificationEndpoints } from './grouped-notifications.ts';
import { notificationPolicyEndpoints } from './notification-policy.ts';
import { notificationRequestEndpoints } from './notification-requests.ts';

export const notificationEndpoints = [
  getNotifications,
  getNotification,
  postDismiss,
  postClear,
  ...unreadCountEndpoints,
  ...groupedNotificationEndpoints,
  ...notificationPolicyEndpoints,
  ...notificationRequestEndpoints,
];
