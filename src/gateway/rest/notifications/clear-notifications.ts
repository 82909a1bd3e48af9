/** POST /api/v1/notifications/clear */
import { Account } from '../../../actors/account/account.messages.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { empty } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const clearNotifications = endpoint({
  method: 'POST',
  path: '/api/v1/notifications/clear',
  authentication: 'user',
  scopes: ['write:notifications'],
  summary: 'Removes all notifications of the user.',
  async handler({ services, grant }) {
    const message = Account.clearNotifications.to(grant.accountId, {});
    await services.client.call(message, flowOfAccount(grant.accountId));
    return empty();
  },
});
