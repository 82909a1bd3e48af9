/** Reads notification policies and requests as stored; operations/presentation decides what a viewer is shown. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import {
  defaultNotificationPolicy,
  type NotificationPolicy,
  type SenderTraits,
  senderTraitsOf,
} from '../../policy/notification-policy.ts';
import { profiles } from '../profile/profile.state.ts';
import type { NotificationRequest } from './notification-requests.records.ts';
import { notificationPolicies, notificationRequests, settlements } from './notification-requests.state.ts';

export function notificationPolicyOf(reader: Reader, accountId: Id): NotificationPolicy {
  return reader.get(notificationPolicies, [accountId]) ?? defaultNotificationPolicy;
}

/** Newest first. `show` maps each request to an item, undefined for one not shown. */
export function chooseNotificationRequests<Item>(
  reader: Reader,
  accountId: Id,
  bounds: PageBounds,
  show: (id: Id, request: NotificationRequest) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(notificationRequests, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => show(key[1], value),
  );
}

export function findNotificationRequest(reader: Reader, accountId: Id, requestId: Id): NotificationRequest | undefined {
  return reader.get(notificationRequests, [accountId, requestId]);
}

/** Whether everything filtered from accepted senders has become ordinary notifications. */
export function isMerged(reader: Reader, accountId: Id): boolean {
  for (const { value } of reader.range(settlements, [accountId])) if (value.isAccepted) return false;
  return true;
}

/** Traits of an account that recipients of its notifications cannot look up themselves; undefined for most. */
export function senderTraits(reader: Reader, accountId: Id, now: number): SenderTraits | undefined {
  const profile = reader.get(profiles, [accountId]);
  return profile && senderTraitsOf(profile, now);
}
