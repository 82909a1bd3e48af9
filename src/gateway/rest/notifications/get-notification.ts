/** GET /api/v1/notifications/:id */

import { z } from 'zod';
import { Failure } from '../../../runtime/errors.ts';
import { NotificationEntity } from '../../entities/notification.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes } from '../status-answers.ts';
import { supportedTypes } from './choice-parameters.ts';

const parameters = z.object({ id, supported_types: supportedTypes });

export const getNotification = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/:id',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters,
  summary: 'Returns a notification of the user.',
  answer: NotificationEntity,
  handler({ services, grant }, given) {
    const shown = services.notifications.one(grant.accountId, given.id);
    if (shown === undefined) throw new Failure('notFound');
    return jsonBytes(services.answers.notification(shown, given.supported_types));
  },
});
