/** GET /api/v1/accounts/:id (specification 4.2: 410 for a suspended account). */
import { z } from 'zod';
import { findPublicAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { refreshWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
import { Failure } from '../../../runtime/errors.ts';
import { AccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { movedAccount, refuseSuspended } from './answers.ts';

const parameters = z.object({ id });

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id',
  authentication: 'optional',
  parameters,
  summary: 'Returns an account.',
  answer: AccountEntity,
  handler(context, { id: accountId }) {
    const { services, caller, grant } = context;
    const account = findPublicAccount(services.snapshots, accountId);
    if (account === undefined) throw new Failure('notFound');
    refuseSuspended(context, account);
    if (grant !== undefined) refreshWhenOld(services, account.profile, caller);
    return json(accountsFor(services, grant?.accountId)(account, movedAccount(services, account)));
  },
});
