/**
 * Reading notifications. Blocks and mutes apply here as well as when a notification is made, so that undoing one brings
 * older notifications back; what is about a status that is gone, or no longer to be seen, is left out.
 */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { Viewer } from '../../policy/visibility.ts';
import { mutes } from '../relationships/relationships.state.ts';
import { type AccountView, findAccount, findVisibleStatus, type StatusView } from '../statuses/statuses.queries.ts';
import type { Notification, NotificationType } from './notifications.records.ts';
import { notifications } from './notifications.state.ts';

export interface NotificationView {
  readonly id: Id;
  readonly notification: Notification;
  readonly from: AccountView;
  readonly status: StatusView | undefined;
}

/** What is undefined leaves nothing out. */
export interface NotificationChoice {
  readonly types?: ReadonlySet<NotificationType> | undefined;
  readonly excludeTypes?: ReadonlySet<NotificationType> | undefined;
  readonly fromId?: Id | undefined;
}

/** The account whose notifications are read is the viewer. */
export interface NotifiedViewer extends Viewer {
  readonly accountId: Id;
}

export function notificationsOf(
  reader: Reader,
  viewer: NotifiedViewer,
  choice: NotificationChoice,
  bounds: PageBounds,
  now: number,
): Page<NotificationView> {
  return takePage(
    reader.range(notifications, [viewer.accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => (isChosen(value, choice) ? view(reader, viewer, key[1], value, now) : undefined),
  );
}

export function findNotification(
  reader: Reader,
  viewer: NotifiedViewer,
  notificationId: Id,
  now: number,
): NotificationView | undefined {
  const notification = reader.get(notifications, [viewer.accountId, notificationId]);
  return notification === undefined ? undefined : view(reader, viewer, notificationId, notification, now);
}

function isChosen(notification: Notification, choice: NotificationChoice): boolean {
  const { types, excludeTypes, fromId } = choice;
  if (fromId !== undefined && notification.accountId !== fromId) return false;
  if (types !== undefined && !types.has(notification.type)) return false;
  return excludeTypes === undefined || !excludeTypes.has(notification.type);
}

function view(
  reader: Reader,
  viewer: NotifiedViewer,
  id: Id,
  notification: Notification,
  now: number,
): NotificationView | undefined {
  const { accountId: fromId, statusId } = notification;
  if (viewer.blocks(fromId) || isSilenced(reader, viewer.accountId, fromId, now)) return undefined;
  const from = findAccount(reader, fromId);
  if (from === undefined || from.profile.suspendedAt !== undefined) return undefined;
  if (statusId === undefined) return { id, notification, from, status: undefined };
  const status = findVisibleStatus(reader, statusId, viewer);
  return status === undefined ? undefined : { id, notification, from, status };
}

function isSilenced(reader: Reader, accountId: Id, fromId: Id, now: number): boolean {
  const mute = reader.get(mutes, [accountId, fromId]);
  return mute?.hideNotifications === true && (mute.expiresAt === undefined || mute.expiresAt > now);
}
