/** POST /api/v1/accounts/:id/block: ends follows in both directions. */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { destinationOf } from '../destinations.ts';
import { changedRelationship, knownAccount } from './answers.ts';

const parameters = z.object({ id });

export const blockAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/block',
  authentication: 'user',
  scopes: ['write:blocks'],
  parameters,
  summary: 'Blocks an account.',
  async handler(context, { id: targetId }) {
    const { services, grant } = context;
    const targetDestination = destinationOf(knownAccount(services, targetId).profile);
    await services.client.call(
      Account.block.to(grant.accountId, { targetId, targetDestination }),
      flowOfAccount(grant.accountId),
    );
    await services.barrier.narrowed();
    return changedRelationship(context, targetId);
  },
});
