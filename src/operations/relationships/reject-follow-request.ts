/** Rejects a follow request. Throws Failure notFound where there is none. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { hasRequested } from '../../actors/account/relationships/relationships.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { operation } from '../operation.ts';
import { removeFromFollowers } from './remove-from-followers.ts';

export const rejectFollowRequest = operation({
  input: z.object({ accountId: identifier }),
  permission: 'relate',
  run(context, { accountId }) {
    const { caller, services } = context;
    if (!hasRequested(services.snapshots, caller.accountId, accountId)) throw new Failure('notFound');
    return removeFromFollowers(context, { accountId });
  },
});
