/** Finds the account of a handle, among known accounts. Throws Failure notFound. */

import { z } from 'zod';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import { refreshWhenOld } from '../../federation/remote-objects/refresh-when-old.ts';
import { Failure } from '../../runtime/errors.ts';
import { operation } from '../operation.ts';
import { accountIdOfHandle } from './handles.ts';
import { knownAccount } from './known-account.ts';

export const findAccountOfHandle = operation({
  input: z.object({ handle: z.string() }),
  permission: 'look',
  run({ caller, services }, { handle }): AccountView {
    const accountId = accountIdOfHandle(services.snapshots, handle, services.addresses);
    if (accountId === undefined) throw new Failure('notFound');
    const account = knownAccount(services, accountId);
    // An anonymous request must not make this server contact others.
    if (caller.accountId !== undefined) refreshWhenOld(services, account.profile, caller);
    return account;
  },
});
