/** GET /api/v1/notifications/:id */

import { z } from 'zod';
import { findNotification } from '../../../actors/account/notifications/notifications.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { NotificationEntity } from '../../entities/notification.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { notifiedViewer, renderNotification } from './notification-answers.ts';

const parameters = z.object({ id });

export const getNotification = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/:id',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters,
  summary: 'One notification of the user.',
  answer: NotificationEntity,
  handler({ services, grant }, given) {
    const viewer = notifiedViewer(services, grant.accountId);
    const view = findNotification(services.snapshots, viewer, given.id, services.now());
    if (view === undefined) throw new Failure('notFound');
    return json(renderNotification(services, view, grant.accountId));
  },
});
