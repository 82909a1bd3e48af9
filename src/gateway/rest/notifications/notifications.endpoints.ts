/** The endpoints of /api/v1/notifications. */
import { postClear } from './clear-notifications.ts';
import { postDismiss } from './dismiss-notification.ts';
import { getNotification } from './get-notification.ts';
import { getNotifications } from './get-notifications.ts';

export const notificationEndpoints = [getNotifications, getNotification, postDismiss, postClear];
