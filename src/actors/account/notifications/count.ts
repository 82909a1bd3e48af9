/** Counts notifications, so that enforcing the bound needs no scan. */
import type { Group } from '../../policy/notification-groups.ts';
import type { AccountTurn } from '../account.turn.ts';
import { type NotificationCount, notificationCounts } from './notifications.state.ts';

interface Change {
  readonly kept?: number;
  /** True when a newest one was added or the oldest were removed: the others keep their positions. */
  readonly isAtAnEnd?: boolean;
  readonly filtered?: number;
  /** A kept one was changed. */
  readonly isRevised?: boolean;
  /** Replaces the growing groups. */
  readonly growing?: readonly Group[] | undefined;
}

/** Changes the counts and returns the new ones. */
export function countNotifications(
  turn: AccountTurn,
  { kept = 0, isAtAnEnd = false, filtered = 0, isRevised = false, growing }: Change,
  before: NotificationCount | undefined = turn.get(notificationCounts, [turn.self.key]),
): NotificationCount {
  const version = (before?.version ?? 0) + (kept === 0 && !isRevised ? 0 : 1);
  const after = {
    ...before,
    count: Math.max(0, (before?.count ?? 0) + kept),
    growing: growing === undefined ? before?.growing : [...growing],
    filtered: Math.max(0, (before?.filtered ?? 0) + filtered) || undefined,
    version,
    appendedSince: !isRevised && (kept === 0 || isAtAnEnd) ? before?.appendedSince : version,
  };
  turn.put(notificationCounts, [turn.self.key], after);
  return after;
}
