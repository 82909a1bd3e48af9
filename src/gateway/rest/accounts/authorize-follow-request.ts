/** POST /api/v1/follow_requests/:account_id/authorize (specification section 3). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { flowOfAccount, type Services } from '../../services.ts';
import { destinationOf } from '../destinations.ts';
import { changedRelationship, knownAccount } from './answers.ts';

const parameters = z.object({ account_id: id });

export const authorizeFollowRequest = endpoint<Services, 'user', typeof parameters>({
  method: 'POST',
  path: '/api/v1/follow_requests/:account_id/authorize',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Lets somebody follow who asked.',
  async handler(context, { account_id: requesterId }) {
    const { services, grant } = context;
    const requesterDestination = destinationOf(knownAccount(services, requesterId).profile);
    await services.client.call(
      Account.authorizeFollow.to(grant.accountId, { requesterId, requesterDestination }),
      flowOfAccount(grant.accountId),
    );
    return changedRelationship(context, requesterId);
  },
});
