/** Switches two-factor authentication off for whoever has lost everything but the password. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { accountName, subordinate } from './local-account.ts';

export const disableTwoFactor = operation({
  input: z.object({ account: accountName }),
  permission: 'manageUserAccess',
  audit: 'disableTwoFactor',
  on: subordinate,
  /** Its owner is told by mail. Throws Failure notFound, and forbidden for an equal or better. */
  async run({ caller, services, audit }, _given, { id }): Promise<void> {
    await services.client.call(Account.disableTwoFactor.to(id, { audit }), flowOf(caller));
  },
});
