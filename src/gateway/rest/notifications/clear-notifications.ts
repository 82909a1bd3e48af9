/** POST /api/v1/notifications/clear */
import { Account } from '../../../actors/account/account.messages.ts';
import { empty } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';
import { flowOfAccount, type Services } from '../../services.ts';

export const clearNotifications = endpoint<Services, 'user'>({
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
