/** POST /api/v1/notifications/:id/dismiss */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { empty } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({ id });

export const dismissNotification = endpoint({
  method: 'POST',
  path: '/api/v1/notifications/:id/dismiss',
  authentication: 'user',
  scopes: ['write:notifications'],
  parameters,
  summary: 'Removes one notification of the user.',
  async handler({ services, grant }, { id: notificationId }) {
    const message = Account.dismissNotification.to(grant.accountId, { notificationId });
    await services.client.call(message, flowOfAccount(grant.accountId));
    return empty();
  },
});
