/** POST /api/v1/statuses/:id/unreblog (specification 2.6: the answer says `reblogged: false`). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { takeBack } from './take-back.ts';

const parameters = z.object({ id });

export const unreblogStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/unreblog',
  authentication: 'user',
  scopes: ['write:statuses'],
  rateLimit: 'statusDeletion',
  parameters,
  summary: "Deletes the user's reblog of a status and answers the original.",
  handler: (context, given) => takeBack(context, given.id, 'reblogged', Account.unreblog),
});
