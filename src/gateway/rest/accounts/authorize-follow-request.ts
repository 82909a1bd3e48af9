/** POST /api/v1/follow_requests/:account_id/authorize (specification section 3). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changeRelationship } from './answers.ts';

const parameters = z.object({ account_id: id });

export const authorizeFollowRequest = endpoint({
  method: 'POST',
  path: '/api/v1/follow_requests/:account_id/authorize',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Lets somebody follow who asked.',
  handler: (context, { account_id: requesterId }) =>
    changeRelationship(context, requesterId, (ownId, requesterDestination) =>
      Account.authorizeFollow.to(ownId, { requesterId, requesterDestination }),
    ),
});
