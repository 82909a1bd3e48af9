/**
 * Notifying an account, and taking notifications back. The account decides by its own blocks and mutes whether it wants
 * to hear (behaviour of the Mastodon API: a block, a mute with notifications or a muted thread silences, oneself never notifies).
 *
 * INVARIANT the count kept beside the notifications is their number, so that a bound costs no counting.
 */
import type { Id } from '../../../runtime/ids.ts';
import { joinGroup } from '../../policy/notification-groups.ts';
import type { AccountTurn } from '../account.turn.ts';
import { logins } from '../profile/profile.state.ts';
import { blockedBy, blocks, mutes } from '../relationships/relationships.state.ts';
import { mutedThreads } from '../threads/threads.state.ts';
import { notificationLimits } from './limits.ts';
import { notified } from './notifications.events.ts';
import type { NotificationType } from './notifications.records.ts';
import { notificationCounts, notifications } from './notifications.state.ts';

export interface NotificationCause {
  type: NotificationType;
  fromId: Id;
  statusId?: Id | undefined;
  /** Of the status, where it did not begin it. */
  threadId?: Id | undefined;
}

export function shouldNotify(turn: AccountTurn, cause: NotificationCause): boolean {
  const { type, fromId } = cause;
  // The author of a poll hears of its end like those who have voted.
  if (fromId === turn.self.key && type !== 'poll') return false;
  if (turn.get(logins, [turn.self.key]) === undefined) return false;
  if (turn.get(blocks, [turn.self.key, fromId]) !== undefined) return false;
  if (turn.get(blockedBy, [turn.self.key, fromId]) !== undefined) return false;
  const mute = turn.get(mutes, [turn.self.key, fromId]);
  const muted = mute !== undefined && (mute.expiresAt === undefined || mute.expiresAt > turn.now);
  if (muted && mute.hideNotifications) return false;
  const { statusId, threadId = statusId } = cause;
  return threadId === undefined || turn.get(mutedThreads, [turn.self.key, threadId]) === undefined;
}

export function addNotification(turn: AccountTurn, cause: NotificationCause): void {
  if (!shouldNotify(turn, cause)) return;
  const notificationId = turn.nextId();
  const status = cause.statusId === undefined ? {} : { statusId: cause.statusId };
  const before = turn.get(notificationCounts, [turn.self.key]);
  const growing = joinGroup(before?.growing ?? [], cause, turn.now);
  turn.put(notifications, [turn.self.key, notificationId], {
    type: cause.type,
    accountId: cause.fromId,
    createdAt: turn.now,
    groupHour: growing?.[0]?.hour,
    ...status,
  });
  const count = (before?.count ?? 0) + 1;
  turn.put(notificationCounts, [turn.self.key], {
    count,
    growing: growing === undefined ? before?.growing : [...growing],
  });
  trim(turn, count - notificationLimits.keptMax);
  turn.emit(notified, { accountId: turn.self.key, notificationId, type: cause.type, fromId: cause.fromId, ...status });
}

/** Removes the newest notification with this cause, if it is recent. */
export function takeBack(turn: AccountTurn, cause: NotificationCause): void {
  for (const { key, value } of turn.range(notifications, [turn.self.key], {
    reverse: true,
    limit: notificationLimits.takeBackEntriesMax,
  })) {
    if (value.type === cause.type && value.accountId === cause.fromId && value.statusId === cause.statusId) {
      removeNotifications(turn, [key[1]]);
      return;
    }
  }
}

/** Each id must be of a notification that is there, once. */
export function removeNotifications(turn: AccountTurn, notificationIds: readonly Id[]): void {
  for (const notificationId of notificationIds) turn.delete(notifications, [turn.self.key, notificationId]);
  if (notificationIds.length === 0) return;
  const before = turn.get(notificationCounts, [turn.self.key]);
  turn.put(notificationCounts, [turn.self.key], {
    ...before,
    count: Math.max(0, (before?.count ?? 0) - notificationIds.length),
  });
}

function trim(turn: AccountTurn, surplus: number): void {
  const limit = Math.min(surplus, notificationLimits.trimmedPerNotification);
  if (limit <= 0) return;
  const oldest = Array.from(turn.range(notifications, [turn.self.key], { limit }), ({ key }) => key[1]);
  removeNotifications(turn, oldest);
}
