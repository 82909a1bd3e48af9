/** The NotificationRequest and NotificationPolicy entities. */

import { z } from 'zod';
import { type NotificationPolicy, treatments } from '../../actors/policy/notification-policy.ts';
import {
  meaningful,
  type PendingNotifications,
  type ShownNotificationRequest,
} from '../../operations/presentation/notification-requests.ts';
import { timeOfId } from '../../runtime/ids.ts';
import { AccountEntity } from './account.ts';
import type { EntityForms } from './encodable-status.ts';
import { appendAccount } from './encoded-account.ts';
import { appendStatus } from './encoded-status.ts';
import type { PageBuffer } from './page-buffer.ts';
import { UserStatusEntity } from './status-schema.ts';
import { count, id, time, timestamp } from './values.ts';

const treatment = z.enum(treatments);

export const NotificationPolicyEntity = z
  .strictObject({
    for_not_following: treatment,
    for_not_followers: treatment,
    for_new_accounts: treatment,
    for_private_mentions: treatment,
    for_limited_accounts: treatment,
    for_bots: treatment,
    summary: z.strictObject({ pending_requests_count: count, pending_notifications_count: count }),
  })
  .meta({ id: 'NotificationPolicy' });

export function notificationPolicyEntity(
  policy: NotificationPolicy,
  pending: PendingNotifications,
): z.input<typeof NotificationPolicyEntity> {
  return {
    for_not_following: policy.forNotFollowing,
    for_not_followers: policy.forNotFollowers,
    for_new_accounts: policy.forNewAccounts,
    for_private_mentions: policy.forPrivateMentions,
    for_limited_accounts: policy.forLimitedAccounts,
    for_bots: policy.forBots,
    summary: { pending_requests_count: pending.requests, pending_notifications_count: pending.notifications },
  };
}

export const NotificationRequestEntity = z
  .strictObject({
    id,
    created_at: time,
    updated_at: time,
    account: AccountEntity,
    /** A string, unlike that of groups. */
    notifications_count: z.string().regex(/^[0-9]+$/),
    last_status: UserStatusEntity.optional(),
  })
  .meta({ id: 'NotificationRequest' });

export type EncodableNotificationRequest = ShownNotificationRequest<EntityForms>;

const colon = 0x3a;
const lastStatusName = Buffer.from(',"last_status"');
const end = Buffer.from('}');

/** Appends a comma and the entity. */
export function appendNotificationRequest(
  buffer: PageBuffer,
  { id: requestId, request, from, lastStatus }: EncodableNotificationRequest,
): void {
  const { mentions, updatedAt } = request;
  const createdAt = timestamp(timeOfId(requestId));
  buffer.append(
    Buffer.from(
      `,{"id":"${requestId}","created_at":"${createdAt}","updated_at":"${timestamp(updatedAt)}",` +
        `"notifications_count":"${meaningful(mentions)}","account":`,
    ),
  );
  appendAccount(buffer, from);
  if (lastStatus !== undefined) {
    buffer.append(lastStatusName);
    const separator = buffer.length;
    appendStatus(buffer, lastStatus);
    buffer.overwrite(separator, colon);
  }
  buffer.append(end);
}
