/** Adds accounts to a list of the caller, all or none, or removes them (specification 4.5). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { listLimits } from '../../actors/account/lists/limits.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { onOwnList } from './own-list.ts';

const input = z.object({ listId: identifier, memberIds: z.array(identifier) });

function change(message: typeof Account.addToList | typeof Account.removeFromList) {
  return operation({
    input,
    permission: 'manageOwnAccount',
    on: onOwnList,
    async run({ caller, services }, given): Promise<void> {
      if (given.memberIds.length > listLimits.accountsPerRequestMax) throw validationFailure('Accounts are too many');
      await services.client.call(message.to(caller.accountId, given), flowOf(caller));
    },
  });
}

export const addToList = change(Account.addToList);
export const removeFromList = change(Account.removeFromList);
