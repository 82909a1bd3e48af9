/** Ends all subscriptions by mail to an account: it sends none any more, and no address is kept. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { accountName, subordinate } from './local-account.ts';

export const endEmailSubscriptions = operation({
  input: z.object({ account: accountName }),
  permission: 'manageEmailSubscriptions',
  audit: 'endEmailSubscriptions',
  on: subordinate,
  /** Throws Failure notFound, and forbidden for an equal or better. */
  async run({ caller, services, audit }, _given, { id }): Promise<void> {
    await services.client.call(Account.endEmailSubscriptions.to(id, { audit }), flowOf(caller));
  },
});
