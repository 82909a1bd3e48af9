/** POST /api/v1/accounts/:id/unmute */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { flowOfAccount, type Services } from '../../services.ts';
import { changedRelationship, knownAccount } from './answers.ts';

const parameters = z.object({ id });

export const unmuteAccount = endpoint<Services, 'user', typeof parameters>({
  method: 'POST',
  path: '/api/v1/accounts/:id/unmute',
  authentication: 'user',
  scopes: ['write:mutes'],
  parameters,
  summary: 'Ends a mute.',
  async handler(context, { id: targetId }) {
    const { services, grant } = context;
    knownAccount(services, targetId);
    await services.client.call(Account.unmute.to(grant.accountId, { targetId }), flowOfAccount(grant.accountId));
    return changedRelationship(context, targetId);
  },
});
