/** /api/v1/notifications/requests: senders whose mentions were filtered (behaviour of the Mastodon API). */
import { z } from 'zod';
import { isMerged } from '../../../actors/account/notifications/notification-requests.queries.ts';
import {
  settleNotificationRequest,
  settleNotificationRequests,
} from '../../../operations/notifications/settle-requests.ts';
import { Failure } from '../../../runtime/errors.ts';
import { NotificationRequestEntity } from '../../entities/notification-request.ts';
import { EmptyEntity, flag } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { id, idList, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { jsonBytes } from '../status-answers.ts';

const path = '/api/v1/notifications/requests';
const readScopes = ['read:notifications'] as const;
const writeScopes = ['write:notifications'] as const;

const getRequests = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes: readScopes,
  parameters: z.object(pageParameters(40, 80)),
  summary: 'Lists notification requests (senders whose mentions were filtered), newest first.',
  answer: z.array(NotificationRequestEntity),
  handler({ services, grant, request }, given) {
    const { answers, notificationRequests } = services;
    return answerFilledPage(
      boundsOf(given),
      (bounds) => notificationRequests.page(grant.accountId, bounds),
      (page) => jsonBytes(answers.notificationRequests(page.items), pageHeaders(request, page, given.limit, 'min_id')),
    );
  },
});

const getRequest = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  authentication: 'user',
  scopes: readScopes,
  parameters: z.object({ id }),
  summary: 'Returns a notification request.',
  answer: NotificationRequestEntity,
  handler({ services, grant }, { id: requestId }) {
    const shown = services.notificationRequests.one(grant.accountId, requestId);
    if (shown === undefined) throw new Failure('notFound');
    return jsonBytes(services.answers.notificationRequest(shown));
  },
});

const getMerged = endpoint({
  method: 'GET',
  path: `${path}/merged`,
  authentication: 'user',
  scopes: readScopes,
  summary: 'Whether all filtered notifications of accepted senders have been merged.',
  answer: z.strictObject({ merged: flag }),
  handler: ({ services, grant }) => json({ merged: isMerged(services.snapshots, grant.accountId) }),
});

const answersToRequests = [
  { word: 'accept', isAccepted: true, outcome: 'shows what was filtered, and filters nothing of the sender again' },
  { word: 'dismiss', isAccepted: false, outcome: 'removes what was filtered of the sender so far' },
].flatMap(({ word, isAccepted, outcome }) => [
  endpoint({
    method: 'POST',
    path: `${path}/:id/${word}`,
    authentication: 'user',
    scopes: writeScopes,
    parameters: z.object({ id }),
    summary: `Answers a notification request: ${outcome}.`,
    answer: EmptyEntity,
    async handler(context, { id: requestId }) {
      await settleNotificationRequest(context, { requestId, isAccepted });
      return empty();
    },
  }),
  endpoint({
    method: 'POST',
    path: `${path}/${word}`,
    authentication: 'user',
    scopes: writeScopes,
    parameters: z.object({ id: idList }),
    summary: `Answers many notification requests: ${outcome}.`,
    answer: EmptyEntity,
    async handler(context, { id: requestIds = [] }) {
      await settleNotificationRequests(context, { requestIds, isAccepted });
      return empty();
    },
  }),
]);

export const notificationRequestEndpoints = [getRequests, getMerged, getRequest, ...answersToRequests];
