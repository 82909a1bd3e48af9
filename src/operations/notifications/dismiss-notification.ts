/** Removes one notification of the caller. Throws Failure notFound for any other. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const dismissNotification = operation({
  input: z.object({ notificationId: identifier }),
  permission: 'manageOwnAccount',
  run: ({ caller, services }, { notificationId }) =>
    services.client.call(Account.dismissNotification.to(caller.accountId, { notificationId }), flowOf(caller)),
});
