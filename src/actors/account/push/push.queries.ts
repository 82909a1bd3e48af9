/** Reads web push subscriptions. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { PushSubscription } from './push.records.ts';
import { pushSubscriptions } from './push.state.ts';

export function findPushSubscription(reader: Reader, accountId: Id, tokenId: string): PushSubscription | undefined {
  return reader.get(pushSubscriptions, [accountId, tokenId]);
}
