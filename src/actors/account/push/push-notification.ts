/** Sends a notification to the push subscriptions that want it: appends it to the log of the push service's partition. */
import { type Id, slotOfKey } from '../../../runtime/ids.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { NotificationType } from '../notifications/notifications.records.ts';
import { followers, following } from '../relationships/relationships.state.ts';
import type { PushSubscription } from './push.records.ts';
import { pushSubscriptions } from './push.state.ts';

interface NewNotification {
  readonly notificationId: Id;
  readonly type: NotificationType;
  readonly fromId: Id;
}

/** In the commit of the notification: nothing is pushed for one that is not stored, and each is pushed once. */
export function pushNotification(turn: AccountTurn, notification: NewNotification): void {
  const self = turn.self.key;
  for (const { value } of turn.range(pushSubscriptions, [self])) {
    if (!value.alerts.includes(notification.type) || !isOfItsPolicy(turn, value, notification.fromId)) continue;
    const host = URL.parse(value.endpoint)?.host;
    if (host === undefined) continue;
    const { tokenId, pushes = 0 } = value;
    if (tokenId !== undefined) turn.put(pushSubscriptions, [self, tokenId], { ...value, pushes: pushes + 1 });
    const { notificationId } = notification;
    const push = { host, accountId: self, notificationId, subscriptionId: value.id, number: pushes + 1 };
    turn.tell(PartitionActor.push.to(BigInt(turn.partitionOf(slotOfKey(host))), push));
  }
}

function isOfItsPolicy(turn: AccountTurn, { policy }: PushSubscription, fromId: Id): boolean {
  switch (policy) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'followed':
      return turn.get(following, [turn.self.key, fromId])?.state === 'accepted';
    case 'follower':
      return turn.get(followers, [turn.self.key, fromId]) !== undefined;
  }
}
