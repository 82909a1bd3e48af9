/** GET /api/v1/statuses/:id/favourited_by (specification 4.3). */
import { z } from 'zod';
import { favouritersOf } from '../../../actors/account/interactions/interactions.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import { endpoint } from '../../route.ts';
import { listAccounts, listParameters } from './list-accounts.ts';

export const getFavouritedBy = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/favourited_by',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: listParameters,
  summary: 'Lists the accounts that favourited a status, latest first.',
  answer: z.array(AccountEntity),
  handler: (context, given) => listAccounts(context, given, favouritersOf),
});
