/** What an account does with its notifications: dismiss one, clear all; and being notified by other actors. */
import type { z } from 'zod';
import type { HandedOn } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { notificationLimits } from '../../../runtime/limits.ts';
import { Account } from '../account.messages.ts';
import { notifications } from '../account.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { notify, removeNotifications } from './notify.ts';

/** Throws notFound when there is no such notification. */
export function dismissNotification(
  turn: AccountTurn,
  { notificationId }: z.infer<typeof Account.dismissNotification.body>,
): undefined {
  if (turn.get(notifications, [turn.self.key, notificationId]) === undefined) throw new Failure('notFound');
  removeNotifications(turn, [notificationId]);
}

/** A slice per turn; what comes in between stays. */
export function clearNotifications(
  turn: AccountTurn,
  message: z.infer<typeof Account.clearNotifications.body>,
): undefined | HandedOn {
  const untilId = message.untilId ?? turn.nextId();
  const slice = turn.range(notifications, [turn.self.key], {
    until: untilId,
    limit: notificationLimits.clearedPerTurn,
  });
  const cleared = Array.from(slice, ({ key }) => key[1]);
  removeNotifications(turn, cleared);
  if (cleared.length < notificationLimits.clearedPerTurn) return;
  return turn.handOn(Account.clearNotifications.to(turn.self.key, { untilId }));
}

export function notifyMessage(turn: AccountTurn, cause: z.infer<typeof Account.notify.body>): undefined {
  notify(turn, cause);
}
