/** What an account does about statuses that mention it or that it was notified of: when they come, are edited, and go. */

import type { BodyOf } from '../../../runtime/contract.ts';
import { firstIdAt, type Id, timeOfId } from '../../../runtime/ids.ts';
import { isInTagTimelines } from '../../policy/visibility.ts';
import type { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { continueConversation, takeFromConversation } from '../conversations/store-conversation.ts';
import { followsTag } from '../followed-tags/followed-tags.queries.ts';
import { homeFactsBelong } from '../home/home.queries.ts';
import { isExclusiveMember } from '../lists/lists.queries.ts';
import { removeFiltered } from '../notifications/filtered.ts';
import { notificationLimits } from '../notifications/limits.ts';
import { filteredNotifications } from '../notifications/notification-requests.state.ts';
import { notifications } from '../notifications/notifications.state.ts';
import { addNotification, removeNotifications } from '../notifications/notify.ts';
import type { StatusFacts } from '../statuses/statuses.events.ts';
import type { StatusReference } from '../statuses/statuses.messages.ts';
import { notifiedStatusEdited, statusWithdrawn } from './mentions.events.ts';

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
