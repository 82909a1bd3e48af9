/** Reads the notifications of an account as stored; operations/presentation decides what a viewer is shown. */
import type { Id } from '../../../runtime/ids.ts';
import type { RangeQuery, Reader } from '../../../runtime/storage/reader.ts';
import { mergeIds } from '../../merge.ts';
import { mutes } from '../relationships/relationships.state.ts';
import { filteredNotifications } from './notification-requests.state.ts';
import type { Notification, NotificationType } from './notifications.records.ts';
import { notificationCounts, notifications } from './notifications.state.ts';

/** An undefined field leaves nothing out, except that filtered notifications are left out. */
export interface NotificationChoice {
  readonly types?: ReadonlySet<NotificationType> | undefined;
  readonly excludeTypes?: ReadonlySet<NotificationType> | undefined;
  readonly fromId?: Id | undefined;
  /** A list for one account includes its filtered notifications (behaviour of the Mastodon API). */
  readonly includeFiltered?: boolean | undefined;
}

export interface StoredNotification {
  readonly id: Id;
  readonly notification: Notification;
  readonly isFiltered: boolean;
}

/** Filtered notifications are stored separately, and read only when they are asked for. */
export function asksForFiltered({ includeFiltered, fromId }: NotificationChoice): boolean {
  return includeFiltered === true || fromId !== undefined;
}

/** Ordinary and filtered notifications, merged. */
export function allNotifications(reader: Reader, accountId: Id, range: RangeQuery): Iterable<StoredNotification> {
  const kept = keptNotifications(reader, accountId, range);
  return merged(kept, waitingNotifications(reader, accountId, range), range);
}

/** The keyspaces that hold the versions of the list without filtered notifications, as the account has counted them. */
export const notificationVersionSpaces = [notificationCounts] as const;

export function notificationVersions(reader: Reader, accountId: Id): { version: number; appendedSince: number } {
  const { version = 0, appendedSince = 0 } = reader.get(notificationCounts, [accountId]) ?? {};
  return { version, appendedSince };
}

export function* keptNotifications(reader: Reader, accountId: Id, range: RangeQuery): Generator<StoredNotification> {
  for (const { key, value } of reader.range(notifications, [accountId], range))
    yield { id: key[1], notification: value, isFiltered: false };
}

function* waitingNotifications(reader: Reader, accountId: Id, range: RangeQuery): Generator<StoredNotification> {
  for (const { key, value } of reader.range(filteredNotifications, [accountId], range))
    yield { id: key[1], notification: value.notification, isFiltered: true };
}

function* merged(
  kept: Iterable<StoredNotification>,
  filtered: Iterable<StoredNotification>,
  { reverse, limit = Number.POSITIVE_INFINITY }: RangeQuery,
): Generator<StoredNotification> {
  const found = new Map<Id, StoredNotification>();
  function* ids(source: Iterable<StoredNotification>): Generator<Id> {
    for (const stored of source) {
      found.set(stored.id, stored);
      yield stored.id;
    }
  }
  let count = 0;
  for (const id of mergeIds([ids(kept), ids(filtered)], reverse === true ? 'newest first' : 'oldest first')) {
    yield found.get(id)!;
    found.delete(id);
    count += 1;
    if (count === limit) return;
  }
}

/** Filtered or not. */
export function findNotification(reader: Reader, accountId: Id, notificationId: Id): StoredNotification | undefined {
  const kept = reader.get(notifications, [accountId, notificationId]);
  const notification = kept ?? reader.get(filteredNotifications, [accountId, notificationId])?.notification;
  return notification && { id: notificationId, notification, isFiltered: kept === undefined };
}

export function isChosen(notification: Notification, choice: NotificationChoice): boolean {
  const { types, excludeTypes, fromId } = choice;
  if (fromId !== undefined && notification.accountId !== fromId) return false;
  if (types !== undefined && !types.has(notification.type)) return false;
  return excludeTypes === undefined || !excludeTypes.has(notification.type);
}

/** Whether a mute in force hides notifications too. */
export function isSilenced(reader: Reader, accountId: Id, fromId: Id, now: number): boolean {
  const mute = reader.get(mutes, [accountId, fromId]);
  return mute?.hideNotifications === true && (mute.expiresAt === undefined || mute.expiresAt > now);
}
