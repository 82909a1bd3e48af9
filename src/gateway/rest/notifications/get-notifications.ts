/** GET /api/v1/notifications (behaviour of the Mastodon API). */

import { z } from 'zod';
import { NotificationEntity } from '../../entities/notification.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { jsonBytes } from '../status-answers.ts';
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
  summary: 'What others did that concerns the user, newest first.',
  answer: z.array(NotificationEntity),
  handler({ services, grant, request }, given) {
    const choice = choiceOf(given);
    return answerFilledPage(
      boundsOf(given),
      (bounds) => services.notifications.page(grant.accountId, choice, bounds),
      (page) =>
        jsonBytes(
          services.answers.notifications(page.items, given.supported_types),
          pageHeaders(request, page, given.limit, 'min_id'),
        ),
    );
  },
});
