/** POST /api/v1/accounts/:id/unfollow */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changeRelationship } from './answers.ts';

const parameters = z.object({ id });

export const unfollowAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/unfollow',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Ends a follow, or takes a request back.',
  handler: (context, { id: targetId }) =>
    changeRelationship(context, targetId, (ownId, targetDestination) =>
      Account.unfollow.to(ownId, { targetId, targetDestination }),
    ),
});
