/** POST /api/v1/accounts/:id/unblock */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changeRelationship } from './answers.ts';

const parameters = z.object({ id });

export const unblockAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/unblock',
  authentication: 'user',
  scopes: ['write:blocks'],
  parameters,
  summary: 'Ends a block.',
  handler: (context, { id: targetId }) =>
    changeRelationship(context, targetId, (ownId, targetDestination) =>
      Account.unblock.to(ownId, { targetId, targetDestination }),
    ),
});
