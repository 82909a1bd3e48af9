/** What the acts of others mean for an account: mentions, replies, and that they are deleted. */
import type { z } from 'zod';
import { firstIdAt, type Id, timeOfId } from '../../../runtime/ids.ts';
import { notificationLimits } from '../../../runtime/limits.ts';
import { statusCounted } from '../account.events.ts';
import type { Account } from '../account.messages.ts';
import type { Visibility } from '../account.records.ts';
import { notifications, replies, statuses } from '../account.state.ts';
import { type AccountTurn, countStatus } from '../account.turn.ts';
import { notify, removeNotifications } from '../notifications/notify.ts';

/** Whoever is mentioned may see the status, whatever its visibility. */
export function mentioned(turn: AccountTurn, { by, statusId }: z.infer<typeof Account.mentioned.body>): undefined {
  notify(turn, { type: 'mention', fromId: by, statusId });
}

export function repliedTo(turn: AccountTurn, message: z.infer<typeof Account.repliedTo.body>): undefined {
  const { statusId, replyId, visibility } = message;
  if (turn.get(statuses, [statusId]) === undefined || turn.get(replies, [statusId, replyId]) !== undefined) return;
  turn.put(replies, [statusId, replyId], true);
  countReply(turn, statusId, visibility, 1);
}

export function replyRemoved(turn: AccountTurn, message: z.infer<typeof Account.replyRemoved.body>): undefined {
  const { statusId, replyId, visibility } = message;
  if (turn.get(statuses, [statusId]) === undefined || turn.get(replies, [statusId, replyId]) === undefined) return;
  turn.delete(replies, [statusId, replyId]);
  countReply(turn, statusId, visibility, -1);
}

/** The number is shown to everybody, so replies that not everybody may see are not in it. */
function countReply(turn: AccountTurn, statusId: Id, visibility: Visibility | undefined, change: 1 | -1): void {
  if (visibility === 'private' || visibility === 'direct') return;
  countStatus(turn, statusId, 'replies', change);
  turn.emit(statusCounted, { id: statusId });
}

export function dismissStatus(turn: AccountTurn, { statusId }: z.infer<typeof Account.dismissStatus.body>): undefined {
  const window = { from: firstIdAt(timeOfId(statusId)), limit: notificationLimits.dismissedEntriesMax };
  const about: Id[] = [];
  for (const { key, value } of turn.range(notifications, [turn.self.key], window))
    if (value.statusId === statusId) about.push(key[1]);
  removeNotifications(turn, about);
}
