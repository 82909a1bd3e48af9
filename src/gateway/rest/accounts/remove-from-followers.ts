/** POST /api/v1/accounts/:id/remove_from_followers */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changeRelationship } from './answers.ts';

const parameters = z.object({ id });

export const removeFromFollowers = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/remove_from_followers',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Ends the follow of a follower.',
  handler: (context, { id: requesterId }) =>
    changeRelationship(context, requesterId, (ownId, requesterDestination) =>
      Account.rejectFollow.to(ownId, { requesterId, requesterDestination }),
    ),
});
