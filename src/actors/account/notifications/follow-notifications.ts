/**
 * Takes back the notifications of follows and of requests that were answered or have ended. Only recent ones are looked
 * at.
 */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import { filteredOf, removeFiltered } from './filtered.ts';
import type { NotificationType } from './notifications.records.ts';
import { notifications } from './notifications.state.ts';
import { removeNotifications } from './notify.ts';

const ofRequests: ReadonlySet<NotificationType> = new Set(['follow_request']);
const ofFollows: ReadonlySet<NotificationType> = new Set(['follow', 'follow_request']);

/** The requests were answered. */
export function dismissRequests(turn: AccountTurn, requesterIds: ReadonlySet<Id>): void {
  dismiss(turn, requesterIds, ofRequests);
}

/** The accounts neither follow this one any more, nor ask for it. */
export function dismissFollows(turn: AccountTurn, followerIds: ReadonlySet<Id>): void {
  if (followerIds.size > 0) dismiss(turn, followerIds, ofFollows);
}

function dismiss(turn: AccountTurn, accountIds: ReadonlySet<Id>, types: ReadonlySet<NotificationType>): void {
  const dismissed: Id[] = [];
  const recent = { reverse: true, limit: relationshipLimits.notificationsDismissedMax };
  for (const { key, value } of turn.range(notifications, [turn.self.key], recent))
    if (types.has(value.type) && accountIds.has(value.accountId)) dismissed.push(key[1]);
  removeNotifications(turn, dismissed);
  for (const accountId of accountIds) {
    const filtered = filteredOf(turn, accountId, recent);
    removeFiltered(
      turn,
      filtered.filter(({ value }) => types.has(value.notification.type)),
    );
  }
}
