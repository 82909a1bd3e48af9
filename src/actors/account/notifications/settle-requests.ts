/**
 * Answers notification requests. The request disappears and the permission exists at once; notifications filtered
 * before are moved to the ordinary ones, or removed, in slices of one turn each. A settlement records this remaining
 * work up to its own id: notifications filtered later belong to the next request.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { continueConversation } from '../conversations/store-conversation.ts';
import { countNotifications } from './count.ts';
import { type FilteredEntry, filteredOf, removeFiltered, removeRequest } from './filtered.ts';
import { notificationRequestLimits } from './limits.ts';
import { notificationsMerged } from './notification-requests.events.ts';
import {
  filteredBySender,
  notificationPermissions,
  notificationRequests,
  settlements,
} from './notification-requests.state.ts';
import { notifications } from './notifications.state.ts';
import { trimNotifications } from './notify.ts';

/** Replies once everything is done. */
export function settleNotificationRequests(
  turn: AccountTurn,
  { requestIds, isAccepted }: BodyOf<typeof Account.settleNotificationRequests>,
): undefined | DelegatedReply {
  const self = turn.self.key;
  const found = requestIds.flatMap((requestId) => turn.get(notificationRequests, [self, requestId])?.fromId ?? []);
  for (const fromId of new Set(found)) {
    if (isAccepted) turn.put(notificationPermissions, [self, fromId], true);
    settle(turn, fromId, isAccepted);
  }
  return found.length === 0 ? undefined : turn.delegateReply(Account.continueSettlements.to(self, {}));
}

/** This account has blocked or muted another one: its filtered notifications are dismissed. */
export function dismissSender(turn: AccountTurn, fromId: Id): void {
  const [filtered] = turn.range(filteredBySender, [turn.self.key, fromId], { limit: 1 });
  if (filtered === undefined) return;
  settle(turn, fromId, false);
  turn.tell(Account.continueSettlements.to(turn.self.key, {}));
}

function settle(turn: AccountTurn, fromId: Id, isAccepted: boolean): void {
  removeRequest(turn, fromId);
  turn.put(settlements, [turn.self.key, turn.nextId()], { fromId, isAccepted });
}

export function continueSettlements(
  turn: AccountTurn,
  { slice: before = 0 }: BodyOf<typeof Account.continueSettlements>,
): undefined | DelegatedReply {
  const self = turn.self.key;
  const [first, next] = turn.range(settlements, [self], { limit: 2 });
  if (first === undefined) return;
  const { fromId, isAccepted } = first.value;
  const limit = notificationRequestLimits.settledPerTurn;
  const slice = filteredOf(turn, fromId, { until: first.key[1], limit });
  removeFiltered(turn, slice);
  if (isAccepted) merge(turn, slice);
  const isDone = slice.length < limit;
  if (isDone) {
    turn.delete(settlements, first.key);
    if (isAccepted && !isMerging(turn)) turn.emit(notificationsMerged, { accountId: self });
  }
  if (isDone && next === undefined) return;
  return turn.delegateReply(Account.continueSettlements.to(self, { slice: before + 1 }));
}

/** With their original ids, so that they appear where they would have been. */
function merge(turn: AccountTurn, entries: readonly FilteredEntry[]): void {
  for (const { key, value } of entries) {
    const { notification, threadId } = value;
    turn.put(notifications, [turn.self.key, key[1]], notification);
    if (threadId !== undefined && notification.statusId !== undefined)
      continueConversation(turn, threadId, notification.statusId, true);
  }
  const { count } = countNotifications(turn, { kept: entries.length });
  trimNotifications(turn, count);
}

function isMerging(turn: AccountTurn): boolean {
  for (const { value } of turn.range(settlements, [turn.self.key])) if (value.isAccepted) return true;
  return false;
}
