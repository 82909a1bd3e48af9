/**
 * Mentions and replies: how a new status affects the accounts it mentions and the author of its parent, and how its
 * deletion does.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import { firstIdAt, type Id, timeOfId } from '../../../runtime/ids.ts';
import { isCountedReply } from '../../policy/usage.ts';
import { isInTagTimelines } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { continueConversation, takeFromConversation } from '../conversations/store-conversation.ts';
import { followsTag } from '../followed-tags/followed-tags.queries.ts';
import { homeFactsBelong } from '../home/home.queries.ts';
import { isExclusiveMember } from '../lists/lists.queries.ts';
import { removeFiltered } from '../notification-requests/filtered.ts';
import { filteredNotifications } from '../notification-requests/notification-requests.state.ts';
import { notificationLimits } from '../notifications/limits.ts';
import { notifications } from '../notifications/notifications.state.ts';
import { addNotification, removeNotifications } from '../notifications/notify.ts';
import {
  notifiedStatusEdited,
  type StatusFacts,
  statusCounted,
  statusDetached,
  statusWithdrawn,
} from './statuses.events.ts';
import type { PublishedStatus, StatusReference } from './statuses.messages.ts';
import { replies, statuses } from './statuses.state.ts';
import { countStatus } from './statuses.turn.ts';

/** A mentioned or addressed account may see the status, whatever its visibility. */
export function mentioned(turn: AccountTurn, message: BodyOf<typeof Account.mentioned>): StatusReference {
  const { by, statusId, visibility, isLimited = false, threadId = statusId, inReplyToId, sender, namedIds } = message;
  const isPrivate = visibility === 'direct';
  const isConversation = isPrivate && !isLimited;
  const about = { statusId, threadId, inReplyToId, isPrivate, isConversation };
  const cause = { type: 'mention', fromId: by, ...about, sender, namedIds } as const;
  const treatment = addNotification(turn, cause);
  if (isConversation && treatment === 'accept') continueConversation(turn, threadId, statusId, true);
  return { statusId };
}

export function repliedTo(turn: AccountTurn, message: BodyOf<typeof Account.repliedTo>): PublishedStatus {
  const { by: authorId, statusId, replyId, visibility, isRepeated } = message;
  if (turn.get(statuses, [statusId]) === undefined) tellParentDeleted(turn, statusId, replyId, authorId);
  else if (turn.get(replies, [statusId, replyId]) === undefined) {
    const isCounted = isCountedReply(visibility);
    turn.put(replies, [statusId, replyId], { authorId, isCounted });
    countReply(turn, statusId, isCounted, 1);
  }
  return isRepeated ? { statusId: replyId, isRepeated } : { statusId: replyId };
}

export function replyRemoved(turn: AccountTurn, message: BodyOf<typeof Account.replyRemoved>): undefined {
  const { statusId, replyId, visibility } = message;
  const reply = turn.get(replies, [statusId, replyId]);
  if (turn.get(statuses, [statusId]) === undefined || reply === undefined) return;
  turn.delete(replies, [statusId, replyId]);
  countReply(turn, statusId, reply.isCounted ?? isCountedReply(visibility), -1);
}

/** Runs on the author of a deleted status. Where an earlier version did not store who replied, nobody is informed. */
export function tellParentDeleted(turn: AccountTurn, statusId: Id, replyId: Id, authorId: Id | undefined): void {
  if (authorId === turn.self.key) detachReply(turn, { statusId, replyId });
  else if (authorId !== undefined) turn.tell(Account.parentDeleted.to(authorId, { statusId, replyId }));
}

export function parentDeleted(turn: AccountTurn, message: BodyOf<typeof Account.parentDeleted>): undefined {
  detachReply(turn, message);
}

/** A reply to a deleted status has no parent; whom it replied to stays visible (behaviour of the Mastodon API). */
function detachReply(turn: AccountTurn, { statusId, replyId }: BodyOf<typeof Account.parentDeleted>): void {
  const reply = turn.get(statuses, [replyId]);
  if (reply?.inReplyToId !== statusId) return;
  turn.put(statuses, [replyId], { ...reply, inReplyToId: undefined });
  turn.emit(statusDetached, { id: replyId });
}

/** The count is public, so only replies that everybody may see are counted; the thread changes in any case. */
function countReply(turn: AccountTurn, statusId: Id, isCounted: boolean, change: 1 | -1): void {
  if (isCounted) countStatus(turn, statusId, 'replies', change);
  turn.emit(statusCounted, { id: statusId });
}

/** Streams tell it, where neither the home nor a followed tag brings the status. */
export function hearOfEdit(turn: AccountTurn, { facts }: BodyOf<typeof Account.hearOfEdit>): undefined {
  const accountId = turn.self.key;
  if (notificationsAbout(turn, facts.id).length === 0 || isAtHome(turn, facts)) return;
  const comesByTag = isInTagTimelines(facts) && facts.tags.some((tag) => followsTag(turn, accountId, tag));
  if (!comesByTag) turn.emit(notifiedStatusEdited, { accountId, facts });
}

export function dismissStatus(turn: AccountTurn, message: BodyOf<typeof Account.dismissStatus>): undefined {
  const { statusId, threadId, facts } = message;
  if (threadId !== undefined) takeFromConversation(turn, threadId, statusId);
  const about = notificationsAbout(turn, statusId);
  removeNotifications(turn, about);
  if (about.length > 0 && !isAtHome(turn, facts)) turn.emit(statusWithdrawn, { accountId: turn.self.key, statusId });
  const filtered = turn.range(filteredNotifications, [turn.self.key], windowOf(statusId));
  removeFiltered(
    turn,
    [...filtered].filter(({ value }) => value.notification.statusId === statusId),
  );
}

function windowOf(statusId: Id) {
  return { from: firstIdAt(timeOfId(statusId)), limit: notificationLimits.dismissedEntriesMax };
}

function notificationsAbout(turn: AccountTurn, statusId: Id): Id[] {
  const about: Id[] = [];
  for (const { key, value } of turn.range(notifications, [turn.self.key], windowOf(statusId)))
    if (value.statusId === statusId) about.push(key[1]);
  return about;
}

/** Whether the home stream tells what becomes of it. */
function isAtHome(turn: AccountTurn, facts: StatusFacts | undefined): boolean {
  const { key } = turn.self;
  return facts !== undefined && homeFactsBelong(turn, key, facts) && !isExclusiveMember(turn, key, facts.accountId);
}
