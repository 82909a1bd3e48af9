/** POST /api/v1/statuses/:id/unfavourite (specification 2.6: the answer says `favourited: false`). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { takeBack } from './take-back.ts';

const parameters = z.object({ id });

export const unfavouriteStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/unfavourite',
  authentication: 'user',
  scopes: ['write:favourites'],
  parameters,
  summary: 'Takes a status out of the favourites of the user.',
  handler: (context, given) => takeBack(context, given.id, 'favourited', Account.unfavourite),
});
