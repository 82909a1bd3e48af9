/** The endpoints of /api/v1/notifications. */
import { clearNotifications } from './clear-notifications.ts';
import { dismissNotification } from './dismiss-notification.ts';
import { getNotification } from './get-notification.ts';
import { getNotifications } from './get-notifications.ts';

export const notificationEndpoints = [getNotifications, getNotification, dismissNotification, clearNotifications];
