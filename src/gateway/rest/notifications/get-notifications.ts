/** GET /api/v1/notifications (behaviour of the Mastodon API). */

import { z } from 'zod';
import { NotificationEntity } from '../../entities/notification.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerOwnPage } from '../own-page.ts';
import { choiceOf, choiceParameters, supportedTypes } from './choice-parameters.ts';

const parameters = z.object({
  ...choiceParameters,
  supported_types: supportedTypes,
  ...pageParameters(40, 80),
});

export const getNotifications = endpoint({
  method: 'GET',
  path: '/api/v1/notifications',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters,
  summary: 'Lists notifications of the user, newest first.',
  answer: z.array(NotificationEntity),
  handler(context, given) {
    const { notifications, notificationSlices, answers } = context.services;
    return answerOwnPage(context, given, {
      newest: (accountId) => notifications.newest(accountId),
      read: (accountId, bounds, newest) =>
        notificationSlices.run(
          (isAnew) => notifications.pageInSlices(accountId, choiceOf(given), bounds, isAnew ? undefined : newest),
          context.request,
        ),
      encode: (items) => answers.notifications(items, given.supported_types),
    });
  },
});
