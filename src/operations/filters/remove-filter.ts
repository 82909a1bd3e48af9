/** Removes a filter with its content. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const removeFilter = operation({
  input: z.object({ filterId: identifier }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { filterId }): Promise<void> {
    await services.client.call(Account.removeFilter.to(caller.accountId, { filterId }), flowOf(caller));
  },
});
