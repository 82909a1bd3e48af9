/** POST /api/v1/follows (specification 4.10: following an account again is no error). */
import { z } from 'zod';
import { followHandle } from '../../../operations/relationships/follow-handle.ts';
import { AccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { json } from '../../http/answers.ts';
import { required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { movedAccount } from './answers.ts';

export const postFollows = endpoint({
  method: 'POST',
  path: '/api/v1/follows',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters: z.object({ uri: required(text) }),
  summary: 'Follows the account of a handle.',
  answer: AccountEntity,
  async handler(context, { uri: handle }) {
    const account = await followHandle(context, { handle });
    const { services, grant } = context;
    return json(accountsFor(services, grant.accountId)(account, movedAccount(services, account)));
  },
});
