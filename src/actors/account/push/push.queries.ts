/** Reads web push subscriptions. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { PushSubscription } from './push.records.ts';
import { pushSubscriptions } from './push.state.ts';

export function findPushSubscription(reader: Reader, accountId: Id, tokenId: string): PushSubscription | undefined {
  return reader.get(pushSubscriptions, [accountId, tokenId]);
}

/** A subscription of the account by its own id: few exist, one for each token of an app that has asked for it. */
export function findSubscriptionById(reader: Reader, accountId: Id, subscriptionId: Id): PushSubscription | undefined {
  for (const { value } of reader.range(pushSubscriptions, [accountId])) if (value.id === subscriptionId) return value;
  return undefined;
}

export function hasPushSubscriptions(reader: Reader, accountId: Id): boolean {
  for (const _subscription of reader.range(pushSubscriptions, [accountId], { limit: 1 })) return true;
  return false;
}
