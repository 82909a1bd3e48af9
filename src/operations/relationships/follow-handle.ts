/** Follows the account of a handle, asking its server where it is unknown here (specification 4.10). */

import { z } from 'zod';
import { type AccountView, findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { resolveHandle } from '../accounts/resolve-handle.ts';
import { operation } from '../operation.ts';
import { followAccount } from './follow-account.ts';

/**
 * Throws Failure notFound where there is no such account, remoteUnreachable where its server does not answer, and what
 * following throws.
 */
export const followHandle = operation({
  input: z.object({ handle: z.string() }),
  permission: 'relate',
  async run(context, { handle }): Promise<AccountView> {
    const accountId = await resolveHandle(context, { handle });
    if (accountId === undefined) throw new Failure('notFound');
    await followAccount(context, { accountId, options: {} });
    const account = findAccount(context.services.snapshots, accountId);
    if (account === undefined) throw new Failure('notFound');
    return account;
  },
});
