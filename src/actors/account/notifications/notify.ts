/**
 * Notifies an account, and withdraws notifications. The account's own blocks and mutes decide first (behaviour of the
 * Mastodon API: a block, a domain block, a mute with notifications or a muted thread silences, and so does a mention
 * beside somebody blocked or muted; an account never notifies itself), then its notification policy. Neither silences
 * what staff have to look at.
 */

import type { Id } from '../../../runtime/ids.ts';
import { wantsMail } from '../../policy/mail-topics.ts';
import { joinGroup } from '../../policy/notification-groups.ts';
import { outranks, type Treatment } from '../../policy/notification-policy.ts';
import { builtInRoles } from '../../policy/roles.ts';
import { concernsRole, isForStaff } from '../../policy/staff.ts';
import { hidesNaming } from '../../policy/visibility.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownMail } from '../mail/mail.turn.ts';
import { sendMail } from '../mail/send-mail.ts';
import { logins } from '../profile/profile.state.ts';
import { pushNotification } from '../push/push-notification.ts';
import { blocksDomain } from '../relationships/blocked-domains.queries.ts';
import { blockedBy, blocks } from '../relationships/relationships.state.ts';
import { viewerOf } from '../relationships/viewer.queries.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { mutedThreads } from '../threads/threads.state.ts';
import { treatmentOf } from './apply-policy.ts';
import { countNotifications } from './count.ts';
import { addFiltered, filteredOf, removeFiltered } from './filtered.ts';
import { notificationLimits } from './limits.ts';
import type { NotificationCause } from './notification-cause.ts';
import { mailNotification } from './notification-mails.ts';
import { notified } from './notifications.events.ts';
import { isSilenced } from './notifications.queries.ts';
import type { Notification, NotificationType } from './notifications.records.ts';
import { notificationCounts, notifications } from './notifications.state.ts';

function shouldNotify(turn: AccountTurn, cause: NotificationCause): boolean {
  const { type, fromId } = cause;
  if (fromId === turn.self.key && !isOfOneself(type)) return false;
  const login = turn.get(logins, [turn.self.key]);
  if (login === undefined) return false;
  // What a role that staff have added may do was looked up by whoever chose this account.
  if (isForStaff(type)) return login.roleId !== undefined || concernsRole(type, builtInRoles[login.role]);
  if (turn.get(blocks, [turn.self.key, fromId]) !== undefined) return false;
  if (turn.get(blockedBy, [turn.self.key, fromId]) !== undefined) return false;
  if (blocksDomain(turn, turn.self.key, cause.sender?.domain)) return false;
  if (isSilenced(turn, turn.self.key, fromId, turn.now)) return false;
  if (type === 'mention' && outranks(cause.sender, login.role)) return true;
  if (namesHidden(turn, cause)) return false;
  const threadId = threadOf(turn, cause);
  return threadId === undefined || turn.get(mutedThreads, [turn.self.key, threadId]) === undefined;
}

/** By a block, or a mute with notifications. */
function namesHidden(turn: AccountTurn, { namedIds = [] }: NotificationCause): boolean {
  const { key } = turn.self;
  const mutesNotifications = (id: Id) => isSilenced(turn, key, id, turn.now);
  const recipient = { ...viewerOf(turn, key, turn.now), mutes: mutesNotifications };
  return namedIds.some((id) => hidesNaming(recipient, id));
}

/** A `quoted_update` refers to a status of the account itself: it is somebody else who sends it, and knows no thread. */
function threadOf(turn: AccountTurn, { type, statusId, threadId }: NotificationCause): Id | undefined {
  if (statusId === undefined || threadId !== undefined) return threadId;
  const own = type === 'quoted_update' ? turn.get(statuses, [statusId]) : undefined;
  return own?.threadId ?? statusId;
}

/**
 * The author of a poll is notified of its end like the voters; severed follows and warnings come from the account
 * itself.
 */
function isOfOneself(type: NotificationType): boolean {
  return type === 'poll' || type === 'severed_relationships' || type === 'moderation_warning';
}

/** Of the edits of one status only the latest is told (behaviour of the Mastodon API). */
function replacesFormer(type: NotificationType): boolean {
  return type === 'update' || type === 'quoted_update';
}

/**
 * Undefined where it is dropped. An accepted notification is shown; a filtered one waits until its sender is accepted.
 */
export function addNotification(turn: AccountTurn, cause: NotificationCause): Exclude<Treatment, 'drop'> | undefined {
  if (!shouldNotify(turn, cause)) return undefined;
  const treatment = treatmentOf(turn, cause);
  if (treatment === 'drop') return undefined;
  if (replacesFormer(cause.type)) takeBack(turn, cause);
  const notificationId = turn.nextId();
  const { type, fromId, statusId, threadId = statusId, severance, collectionId, reportId, warning } = cause;
  const collection = collectionId === undefined ? {} : { collectionId };
  const status = statusId === undefined ? {} : { statusId };
  const counts = turn.get(notificationCounts, [turn.self.key]);
  const growing = joinGroup(counts?.growing ?? [], cause, turn.now);
  const notification = {
    type,
    accountId: fromId,
    createdAt: turn.now,
    groupHour: growing?.[0]?.hour,
    ...status,
    severance,
    ...collection,
    ...(reportId !== undefined && { reportId }),
    ...(warning && { warning }),
  };
  if (treatment === 'filter') {
    if (growing !== undefined) countNotifications(turn, { growing }, counts);
    addFiltered(turn, notificationId, { notification, threadId: cause.isConversation === true ? threadId : undefined });
    return treatment;
  }
  turn.put(notifications, [turn.self.key, notificationId], notification);
  const { count } = countNotifications(turn, { kept: 1, isAtAnEnd: true, growing }, counts);
  trimNotifications(turn, count);
  turn.emit(notified, { accountId: turn.self.key, notificationId, type, fromId, ...status });
  pushNotification(turn, { notificationId, type, fromId });
  mailNotification(turn, notificationId, type);
  mailStaff(turn, cause);
  return treatment;
}

/** What staff have to look at comes by mail as well (specification 6.3). */
function mailStaff(turn: AccountTurn, { type, fromId, reportId }: NotificationCause): void {
  if (!isForStaff(type) || !wantsMail(ownMail(turn).settings, type)) return;
  if (type === 'admin.report' && reportId !== undefined)
    sendMail(turn, { kind: 'report', reportId, reporterId: fromId });
  if (type === 'admin.sign_up') sendMail(turn, { kind: 'signUp', accountId: fromId });
}

/** Removes the newest notification with this cause, if it is recent. */
export function takeBack(turn: AccountTurn, cause: NotificationCause): void {
  const recent = { reverse: true, limit: notificationLimits.takeBackEntriesMax };
  const isMeant = ({ type, accountId, statusId, collectionId }: Notification) =>
    type === cause.type &&
    accountId === cause.fromId &&
    statusId === cause.statusId &&
    collectionId === cause.collectionId;
  for (const entry of turn.range(notifications, [turn.self.key], recent)) {
    if (!isMeant(entry.value)) continue;
    removeNotifications(turn, [entry.key[1]]);
    return;
  }
  const filtered = filteredOf(turn, cause.fromId, recent).find(({ value }) => isMeant(value.notification));
  if (filtered !== undefined) removeFiltered(turn, [filtered]);
}

/** Each id must be that of an existing notification, once. `areOldest`: no older ones exist. */
export function removeNotifications(turn: AccountTurn, notificationIds: readonly Id[], areOldest = false): void {
  if (notificationIds.length === 0) return;
  for (const notificationId of notificationIds) turn.delete(notifications, [turn.self.key, notificationId]);
  countNotifications(turn, { kept: -notificationIds.length, isAtAnEnd: areOldest });
}

/** Call after some were added: removes the oldest when there are too many. */
export function trimNotifications(turn: AccountTurn, count: number): void {
  const { keptMax, trimmedAtOnce } = notificationLimits;
  if (count <= keptMax) return;
  const limit = Math.max(trimmedAtOnce, count - keptMax);
  const oldest = Array.from(turn.range(notifications, [turn.self.key], { limit }), ({ key }) => key[1]);
  removeNotifications(turn, oldest, true);
}

/** Of an account that is gone, and had few. */
export function forgetNotifications(turn: AccountTurn): void {
  const { key: accountId } = turn.self;
  for (const { key } of [...turn.range(notifications, [accountId])]) turn.delete(notifications, key);
  turn.delete(notificationCounts, [accountId]);
}
