/** POST /api/v1/accounts/:id/unmute */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changeRelationship } from './answers.ts';

const parameters = z.object({ id });

export const unmuteAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/unmute',
  authentication: 'user',
  scopes: ['write:mutes'],
  parameters,
  summary: 'Ends a mute.',
  handler: (context, { id: targetId }) =>
    changeRelationship(context, targetId, (ownId) => Account.unmute.to(ownId, { targetId })),
});
