/** An account of this or another server, as staff see it: also while it is suspended. */

import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { type AccountView, findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';

export const inspectAccount = operation({
  input: z.object({ accountId: identifier }),
  permission: 'manageUsers',
  audit: reads,
  /** Throws Failure notFound. */
  run({ services }, { accountId }): AccountView {
    const account = findAccount(services.snapshots, accountId);
    if (account === undefined) throw new Failure('notFound');
    return account;
  },
});
