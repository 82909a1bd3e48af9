/** What an account does with its notifications: dismiss one, clear all; and being notified by other actors. */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { isInGroup, rangeOfGroup } from '../../policy/notification-groups.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { removeFiltered } from './filtered.ts';
import { notificationLimits } from './limits.ts';
import { filteredNotifications } from './notification-requests.state.ts';
import { notifications } from './notifications.state.ts';
import { addNotification, removeNotifications } from './notify.ts';

/** Throws notFound when there is no such notification. */
export function dismissNotification(
  turn: AccountTurn,
  { notificationId }: BodyOf<typeof Account.dismissNotification>,
): undefined {
  const key: [Id, Id] = [turn.self.key, notificationId];
  const isKept = turn.get(notifications, key) !== undefined;
  const filtered = isKept ? undefined : turn.get(filteredNotifications, key);
  if (isKept) removeNotifications(turn, [notificationId]);
  else if (filtered !== undefined) removeFiltered(turn, [{ key, value: filtered }]);
  else throw new Failure('notFound');
}

/** Filtered ones too, a slice per turn. Those added meanwhile stay. */
export function clearNotifications(
  turn: AccountTurn,
  message: BodyOf<typeof Account.clearNotifications>,
): undefined | DelegatedReply {
  if (message.untilId === undefined) removeFiltered(turn, [...turn.range(filteredNotifications, [turn.self.key])]);
  const untilId = message.untilId ?? turn.nextId();
  const slice = turn.range(notifications, [turn.self.key], {
    until: untilId,
    limit: notificationLimits.clearedPerTurn,
  });
  const cleared = Array.from(slice, ({ key }) => key[1]);
  removeNotifications(turn, cleared);
  if (cleared.length < notificationLimits.clearedPerTurn) return;
  return turn.delegateReply(Account.clearNotifications.to(turn.self.key, { untilId, slice: (message.slice ?? 0) + 1 }));
}

/** Does nothing for an unknown group. */
export function dismissGroup(
  turn: AccountTurn,
  { group, afterId }: BodyOf<typeof Account.dismissGroup>,
): undefined | DelegatedReply {
  const range = rangeOfGroup(group);
  if (afterId === undefined) {
    const filtered = [...turn.range(filteredNotifications, [turn.self.key], range)];
    removeFiltered(
      turn,
      filtered.filter(({ value }) => isInGroup(value.notification, group)),
    );
  }
  const limit = notificationLimits.clearedPerTurn;
  const from = afterId === undefined ? range.from : afterId + 1n;
  const slice = [...turn.range(notifications, [turn.self.key], { ...range, from, limit })];
  removeNotifications(
    turn,
    slice.filter(({ value }) => isInGroup(value, group)).map(({ key }) => key[1]),
  );
  const last = slice.length < limit ? undefined : slice.at(-1);
  return last && turn.delegateReply(Account.dismissGroup.to(turn.self.key, { group, afterId: last.key[1] }));
}

export function notify(turn: AccountTurn, cause: BodyOf<typeof Account.notify>): undefined {
  addNotification(turn, cause);
}
