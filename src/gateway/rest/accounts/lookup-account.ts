/** GET /api/v1/accounts/lookup: a known account, by its exact handle. */
import { z } from 'zod';
import { findAccountOfHandle } from '../../../operations/accounts/find-account.ts';
import { AccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { json } from '../../http/answers.ts';
import { text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { movedAccount } from './answers.ts';

const parameters = z.object({ acct: text });

export const lookupAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/lookup',
  authentication: 'optional',
  scopes: ['read:accounts'],
  parameters,
  summary: 'Returns a known account by its handle.',
  answer: AccountEntity,
  handler(context, { acct: handle = '' }) {
    const { services, grant } = context;
    const account = findAccountOfHandle(context, { handle });
    return json(accountsFor(services, grant?.accountId)(account, movedAccount(services, account)));
  },
});
