/** POST /api/v1/notifications/:id/dismiss */

import { z } from 'zod';
import { dismissNotification } from '../../../operations/notifications/dismiss-notification.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({ id });

export const postDismiss = endpoint({
  method: 'POST',
  path: '/api/v1/notifications/:id/dismiss',
  authentication: 'user',
  scopes: ['write:notifications'],
  parameters,
  summary: 'Removes one notification of the user.',
  answer: EmptyEntity,
  async handler(context, { id: notificationId }) {
    await dismissNotification(context, { notificationId });
    return empty();
  },
});
