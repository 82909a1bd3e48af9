/** DELETE /api/v1/statuses/:id (specification 5: a user can only delete their own statuses). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { referenceTo } from '../interactions/originals.ts';
import { renderStatus } from '../status-answers.ts';
import { destinationsOfStatus, ownStatus } from './own-status.ts';

export const deleteStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/statuses/:id',
  authentication: 'user',
  scopes: ['write:statuses'],
  rateLimit: 'statusDeletion',
  parameters: z.object({ id }),
  summary: 'Deletes a status of the user and answers it with its source text, for drafting it again.',
  async handler({ services, grant }, parameters) {
    const { accountId } = grant;
    const view = ownStatus(services, parameters.id, accountId);
    const answer = { ...renderStatus(services, view, accountId), text: view.status.text };
    const flow = flowOfAccount(accountId);
    if (view.reblog !== undefined) {
      await services.client.call(Account.unreblog.to(accountId, referenceTo(view.reblog)), flow);
    } else {
      const destinations = destinationsOfStatus(services, view.status);
      await services.client.call(Account.deleteStatus.to(accountId, { statusId: view.status.id, destinations }), flow);
    }
    return json(answer);
  },
});
