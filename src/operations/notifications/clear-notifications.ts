/** Removes all notifications of the caller. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const clearNotifications = operation({
  input: z.object({}),
  permission: 'manageOwnAccount',
  run: ({ caller, services }) =>
    services.client.call(Account.clearNotifications.to(caller.accountId, {}), flowOf(caller)),
});
