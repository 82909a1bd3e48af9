/**
 * Accepts or dismisses notification requests of the caller. Accepting moves the filtered notifications into the list
 * and exempts the sender from the policy; dismissing removes them.
 */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { notificationRequestLimits } from '../../actors/account/notifications/limits.ts';
import { findNotificationRequest } from '../../actors/account/notifications/notification-requests.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

/** Requests that do not exist (any more) are ignored. */
export const settleNotificationRequests = operation({
  input: z.object({ requestIds: z.array(identifier), isAccepted: z.boolean() }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { requestIds, isAccepted }): Promise<void> {
    const distinct = [...new Set(requestIds)];
    const { settledPerCall } = notificationRequestLimits;
    for (let index = 0; index < distinct.length; index += settledPerCall) {
      const body = { requestIds: distinct.slice(index, index + settledPerCall), isAccepted };
      await services.client.call(Account.settleNotificationRequests.to(caller.accountId, body), flowOf(caller));
    }
  },
});

/** Throws Failure notFound for an unknown request. */
export const settleNotificationRequest = operation({
  input: z.object({ requestId: identifier, isAccepted: z.boolean() }),
  permission: 'manageOwnAccount',
  async run(context, { requestId, isAccepted }): Promise<void> {
    const { caller, services } = context;
    if (findNotificationRequest(services.snapshots, caller.accountId, requestId) === undefined)
      throw new Failure('notFound');
    await settleNotificationRequests(context, { requestIds: [requestId], isAccepted });
  },
});
