/** GET /api/v1/accounts/lookup: an account that is known here, by its exact handle. */
import { z } from 'zod';
import { findPublicAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { refreshWhenOld } from '../../../federation/remote-objects/refresh-account.ts';
import { Failure } from '../../../runtime/errors.ts';
import { AccountEntity, accountEntity } from '../../entities/account.ts';
import { json } from '../../http/answers.ts';
import { text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { movedAccount } from './answers.ts';
import { accountIdOfHandle } from './handles.ts';

const parameters = z.object({ acct: text });

export const lookupAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/lookup',
  authentication: 'none',
  scopes: ['read:accounts'],
  parameters,
  summary: 'One account by its handle, without asking other servers.',
  answer: AccountEntity,
  handler({ services, grant }, { acct = '' }) {
    const accountId = accountIdOfHandle(services.snapshots, acct, services.addresses.host);
    const account = accountId === undefined ? undefined : findPublicAccount(services.snapshots, accountId);
    if (account === undefined) throw new Failure('notFound');
    if (grant !== undefined) refreshWhenOld(services, account.profile);
    return json(accountEntity(account, services.addresses, movedAccount(services, account)));
  },
});
