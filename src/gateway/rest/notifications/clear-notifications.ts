/** POST /api/v1/notifications/clear */

import { clearNotifications } from '../../../operations/notifications/clear-notifications.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const postClear = endpoint({
  method: 'POST',
  path: '/api/v1/notifications/clear',
  // Beside the grouped ones, where Mastodon serves it too; no documentation names it there.
  olderPaths: ['/api/v2/notifications/clear'],
  authentication: 'user',
  scopes: ['write:notifications'],
  summary: 'Removes all notifications of the user.',
  answer: EmptyEntity,
  async handler(context) {
    await clearNotifications(context, {});
    return empty();
  },
});
