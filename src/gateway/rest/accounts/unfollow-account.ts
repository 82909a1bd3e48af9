/** POST /api/v1/accounts/:id/unfollow */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { flowOfAccount, type Services } from '../../services.ts';
import { destinationOf } from '../destinations.ts';
import { changedRelationship, knownAccount } from './answers.ts';

const parameters = z.object({ id });

export const unfollowAccount = endpoint<Services, 'user', typeof parameters>({
  method: 'POST',
  path: '/api/v1/accounts/:id/unfollow',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Ends a follow, or takes a request back.',
  async handler(context, { id: targetId }) {
    const { services, grant } = context;
    const targetDestination = destinationOf(knownAccount(services, targetId).profile);
    await services.client.call(
      Account.unfollow.to(grant.accountId, { targetId, targetDestination }),
      flowOfAccount(grant.accountId),
    );
    return changedRelationship(context, targetId);
  },
});
