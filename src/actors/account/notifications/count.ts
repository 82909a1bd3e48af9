/** Keeps the number of notifications beside them, so that enforcing the bound needs no counting. */
import type { Group } from '../../policy/notification-groups.ts';
import type { AccountTurn } from '../account.turn.ts';
import { type NotificationCount, notificationCounts } from './notifications.state.ts';

interface Change {
  readonly kept?: number;
  /** Where a newest one comes or the oldest go: all others stand as they stood. */
  readonly isAtAnEnd?: boolean;
  readonly filtered?: number;
  /** In place of those that grew before. */
  readonly growing?: readonly Group[] | undefined;
}

/** Adds to the counts as they are; returns what they are afterwards. */
export function countNotifications(
  turn: AccountTurn,
  { kept = 0, isAtAnEnd = false, filtered = 0, growing }: Change,
  before: NotificationCount | undefined = turn.get(notificationCounts, [turn.self.key]),
): NotificationCount {
  const version = (before?.version ?? 0) + (kept === 0 ? 0 : 1);
  const after = {
    ...before,
    count: Math.max(0, (before?.count ?? 0) + kept),
    growing: growing === undefined ? before?.growing : [...growing],
    filtered: Math.max(0, (before?.filtered ?? 0) + filtered) || undefined,
    version,
    appendedSince: kept === 0 || isAtAnEnd ? before?.appendedSince : version,
  };
  turn.put(notificationCounts, [turn.self.key], after);
  return after;
}
