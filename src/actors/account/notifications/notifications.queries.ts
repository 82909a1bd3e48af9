/** Reading the notifications of an account as they are stored; who is shown what of them is the presentation's. */
import type { Id } from '../../../runtime/ids.ts';
import type { RangeQuery, Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { mutes } from '../relationships/relationships.state.ts';
import type { Notification, NotificationType } from './notifications.records.ts';
import { notifications } from './notifications.state.ts';

/** What is undefined leaves nothing out. */
export interface NotificationChoice {
  readonly types?: ReadonlySet<NotificationType> | undefined;
  readonly excludeTypes?: ReadonlySet<NotificationType> | undefined;
  readonly fromId?: Id | undefined;
}

/** A page of an account's notifications; `show` gives what becomes of one, undefined for what is not shown. */
export function chooseNotifications<Item>(
  reader: Reader,
  accountId: Id,
  choice: NotificationChoice,
  bounds: PageBounds,
  show: (id: Id, notification: Notification) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(notifications, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => (isChosen(value, choice) ? show(key[1], value) : undefined),
  );
}

export function* storedNotifications(
  reader: Reader,
  accountId: Id,
  range: RangeQuery,
): Generator<readonly [Id, Notification]> {
  for (const { key, value } of reader.range(notifications, [accountId], range)) yield [key[1], value];
}

export function findNotification(reader: Reader, accountId: Id, notificationId: Id): Notification | undefined {
  return reader.get(notifications, [accountId, notificationId]);
}

function isChosen(notification: Notification, choice: NotificationChoice): boolean {
  const { types, excludeTypes, fromId } = choice;
  if (fromId !== undefined && notification.accountId !== fromId) return false;
  if (types !== undefined && !types.has(notification.type)) return false;
  return excludeTypes === undefined || !excludeTypes.has(notification.type);
}

/** Whether a mute that is in force hides notifications as well. */
export function isSilenced(reader: Reader, accountId: Id, fromId: Id, now: number): boolean {
  const mute = reader.get(mutes, [accountId, fromId]);
  return mute?.hideNotifications === true && (mute.expiresAt === undefined || mute.expiresAt > now);
}
