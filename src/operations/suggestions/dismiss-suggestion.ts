/** Removes an account from the caller's suggestions, until their next interaction with it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const dismissSuggestion = operation({
  input: z.object({ accountId: identifier }),
  permission: 'relate',
  async run({ caller, services }, { accountId }): Promise<void> {
    await services.client.call(Account.dismissSuggestion.to(caller.accountId, { accountId }), flowOf(caller));
  },
});
