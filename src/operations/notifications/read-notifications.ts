/** The caller has seen the notifications up to this one: they are no longer unread. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const readNotifications = operation({
  input: z.object({ newestId: identifier }),
  permission: 'manageOwnAccount',
  run: ({ caller, services }, { newestId }) =>
    services.client.call(Account.readNotifications.to(caller.accountId, { newestId }), flowOf(caller)),
});
