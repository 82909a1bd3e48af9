/**
 * The notification policy of an account, and its answers to notification requests. Message numbers 109, 114 and 135.
 */
import { z } from 'zod';
import { call, Done, Slice } from '../../../runtime/contract.ts';
import { NotificationPolicy } from '../../policy/notification-policy.ts';
import { identifier } from '../account.records.ts';

export const notificationRequestMessages = {
  changeNotificationPolicy: call(109, NotificationPolicy.partial(), Done),
  /** Requests that no longer exist count as answered. */
  settleNotificationRequests: call(114, z.object({ requestIds: z.array(identifier), isAccepted: z.boolean() }), Done),
  /** Moves or removes the next slice of notifications filtered before an answer. */
  continueSettlements: call(135, Slice, Done),
};
