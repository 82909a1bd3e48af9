/** GET /api/v1/statuses/:id/reblogged_by (specification 4.3). */
import { z } from 'zod';
import { rebloggersOf } from '../../../actors/account/interactions/interactions.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import { endpoint } from '../../route.ts';
import { listAccounts, listParameters } from './list-accounts.ts';

export const getRebloggedBy = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/reblogged_by',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: listParameters,
  summary: 'Lists the accounts that reblogged a status, latest first.',
  answer: z.array(AccountEntity),
  handler: (context, given) => listAccounts(context, given, rebloggersOf),
});
