/**
 * Filtered notifications, and the requests of their senders.
 *
 * INVARIANT a request exists as long as a filtered mention or quote of its sender does, and counts these from its own id
 * on.
 */

import type { Id } from '../../../runtime/ids.ts';
import { makesRequest } from '../../policy/notification-policy.ts';
import type { AccountTurn } from '../account.turn.ts';
import { countNotifications } from './count.ts';
import { notificationRequestLimits } from './limits.ts';
import { type FilteredNotification, isRequested } from './notification-requests.records.ts';
import {
  filteredBySender,
  filteredNotifications,
  notificationRequests,
  requestBySender,
} from './notification-requests.state.ts';

export interface FilteredEntry {
  readonly key: readonly [account: Id, notification: Id];
  readonly value: FilteredNotification;
}

export function addFiltered(
  turn: AccountTurn,
  notificationId: Id,
  filtered: Omit<FilteredNotification, 'isRequested'>,
): void {
  const self = turn.self.key;
  const { type, accountId: fromId, statusId } = filtered.notification;
  turn.put(filteredNotifications, [self, notificationId], { ...filtered, isRequested: makesRequest(type) });
  turn.put(filteredBySender, [self, fromId, notificationId], true);
  const { filtered: kept = 0 } = countNotifications(turn, { filtered: 1 });
  if (makesRequest(type)) request(turn, fromId, notificationId, statusId);
  trim(turn, kept - notificationRequestLimits.filteredMax);
}

function request(turn: AccountTurn, fromId: Id, notificationId: Id, lastStatusId: Id | undefined): void {
  const self = turn.self.key;
  const { id: requestId } = turn.get(requestBySender, [self, fromId]) ?? { id: notificationId };
  const mentions = (turn.get(notificationRequests, [self, requestId])?.mentions ?? 0) + 1;
  turn.put(notificationRequests, [self, requestId], { fromId, mentions, lastStatusId, updatedAt: turn.now });
  if (requestId === notificationId) turn.put(requestBySender, [self, fromId], { id: requestId });
}

function trim(turn: AccountTurn, surplus: number): void {
  const limit = Math.min(surplus, notificationRequestLimits.trimmedPerNotification);
  if (limit > 0) removeFiltered(turn, [...turn.range(filteredNotifications, [turn.self.key], { limit })]);
}

/** Each must exist. The sender's request is removed with the last of them. */
export function removeFiltered(turn: AccountTurn, entries: readonly FilteredEntry[]): void {
  const self = turn.self.key;
  const mentionsBySender = new Map<Id, Id[]>();
  for (const { key, value } of entries) {
    const { accountId: fromId } = value.notification;
    turn.delete(filteredNotifications, [self, key[1]]);
    turn.delete(filteredBySender, [self, fromId, key[1]]);
    if (isRequested(value)) mentionsBySender.set(fromId, [...(mentionsBySender.get(fromId) ?? []), key[1]]);
  }
  if (entries.length > 0) countNotifications(turn, { filtered: -entries.length });
  for (const [fromId, removed] of mentionsBySender) reconsiderRequest(turn, fromId, removed);
}

function reconsiderRequest(turn: AccountTurn, fromId: Id, removed: readonly Id[]): void {
  const self = turn.self.key;
  const requestId = turn.get(requestBySender, [self, fromId])?.id;
  const before = requestId === undefined ? undefined : turn.get(notificationRequests, [self, requestId]);
  if (requestId === undefined || before === undefined) return;
  const mentions = before.mentions - removed.filter((id) => id >= requestId).length;
  if (mentions <= 0) removeRequest(turn, fromId);
  else {
    const lastStatusId = newestStatus(turn, fromId);
    turn.put(notificationRequests, [self, requestId], { ...before, mentions, lastStatusId });
  }
}

/** The status of a sender's newest filtered mention or quote. */
function newestStatus(turn: AccountTurn, fromId: Id): Id | undefined {
  for (const { key } of turn.range(filteredBySender, [turn.self.key, fromId], { reverse: true })) {
    const filtered = turn.get(filteredNotifications, [turn.self.key, key[2]]);
    if (filtered !== undefined && isRequested(filtered)) return filtered.notification.statusId;
  }
  return undefined;
}

/** False where there is none. */
export function removeRequest(turn: AccountTurn, fromId: Id): boolean {
  const requestId = turn.get(requestBySender, [turn.self.key, fromId])?.id;
  if (requestId === undefined) return false;
  turn.delete(requestBySender, [turn.self.key, fromId]);
  turn.delete(notificationRequests, [turn.self.key, requestId]);
  return true;
}

/** Filtered notifications of a sender, oldest first. */
export function filteredOf(
  turn: AccountTurn,
  fromId: Id,
  range: { readonly until?: Id; readonly limit: number; readonly reverse?: boolean },
): FilteredEntry[] {
  const self = turn.self.key;
  const entries: FilteredEntry[] = [];
  for (const { key } of turn.range(filteredBySender, [self, fromId], range))
    entries.push({ key: [self, key[2]], value: turn.get(filteredNotifications, [self, key[2]])! });
  return entries;
}
