/** GET /api/v1/notifications (behaviour of the Mastodon API). */

import { z } from 'zod';
import { NotificationType } from '../../../actors/account/notifications/notifications.records.ts';
import { NotificationEntity } from '../../entities/notification.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { optionalId, pageParameters, wordList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { jsonBytes } from '../status-answers.ts';

const parameters = z.object({
  types: wordList,
  exclude_types: wordList,
  account_id: optionalId,
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
    const choice = {
      types: typesOf(given.types),
      excludeTypes: typesOf(given.exclude_types),
      fromId: given.account_id,
    };
    return answerFilledPage(
      boundsOf(given),
      (bounds) => services.notifications.page(grant.accountId, choice, bounds),
      (page) =>
        jsonBytes(services.answers.notifications(page.items), pageHeaders(request, page, given.limit, 'min_id')),
    );
  },
});

/** Clients name types that this server does not have; nothing is of such a type. */
function typesOf(names: readonly string[] | undefined): ReadonlySet<NotificationType> | undefined {
  if (names === undefined) return undefined;
  return new Set(NotificationType.options.filter((type) => names.includes(type)));
}
