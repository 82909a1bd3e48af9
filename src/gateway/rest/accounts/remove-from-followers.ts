/** POST /api/v1/accounts/:id/remove_from_followers */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { flowOfAccount, type Services } from '../../services.ts';
import { destinationOf } from '../destinations.ts';
import { changedRelationship, knownAccount } from './answers.ts';

const parameters = z.object({ id });

export const removeFromFollowers = endpoint<Services, 'user', typeof parameters>({
  method: 'POST',
  path: '/api/v1/accounts/:id/remove_from_followers',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Ends the follow of a follower.',
  async handler(context, { id: requesterId }) {
    const { services, grant } = context;
    const requesterDestination = destinationOf(knownAccount(services, requesterId).profile);
    await services.client.call(
      Account.rejectFollow.to(grant.accountId, { requesterId, requesterDestination }),
      flowOfAccount(grant.accountId),
    );
    return changedRelationship(context, requesterId);
  },
});
