/** /api/v2/notifications: grouped notifications (behaviour of the Mastodon API). */
import { z } from 'zod';
import { dismissNotificationGroup } from '../../../operations/notifications/dismiss-group.ts';
import { Failure } from '../../../runtime/errors.ts';
import { AccountEntity } from '../../entities/account.ts';
import { type EncodableGroup, GroupedNotificationsEntity } from '../../entities/notification-groups.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { choice, pageParameters, required, text, wordList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerOwnPage } from '../own-page.ts';
import { jsonBytes, lastingBytes } from '../status-answers.ts';
import { choiceOf, choiceParameters, groupedOf, supportedTypes } from './choice-parameters.ts';

const group_key = required(text);

/** Throws Failure notFound for a group without visible notifications. */
async function shownGroup(
  { services, grant, request }: UserContext<GatewayServices>,
  key: string,
): Promise<EncodableGroup> {
  const { notificationSlices, notificationGroups } = services;
  const group = await notificationSlices.run(() => notificationGroups.oneInSlices(grant.accountId, key), request);
  if (group === undefined) throw new Failure('notFound');
  return group;
}

export const getGroups = endpoint({
  method: 'GET',
  path: '/api/v2/notifications',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters: z.object({
    ...choiceParameters,
    grouped_types: wordList,
    supported_types: supportedTypes,
    expand_accounts: choice(['full', 'partial_avatars']),
    ...pageParameters(40, 80),
  }),
  summary: 'Lists grouped notifications of the user, newest first.',
  answer: GroupedNotificationsEntity,
  handler(context, given) {
    const { notifications, notificationGroups, notificationSlices, answers } = context.services;
    const [choice, grouped] = [choiceOf(given), groupedOf(given.grouped_types)];
    return answerOwnPage(context, given, {
      newest: (accountId) => notifications.newest(accountId),
      read: (accountId, bounds, newest) =>
        notificationSlices.run(
          (isAnew) => notificationGroups.pageInSlices(accountId, choice, grouped, bounds, isAnew ? undefined : newest),
          context.request,
        ),
      encode: (items) =>
        answers.notificationGroups(items, {
          inList: true,
          partialAccounts: given.expand_accounts === 'partial_avatars',
          supported: given.supported_types,
          dialect: context.grant.dialect,
        }),
    });
  },
});

export const getGroup = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/:group_key',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters: z.object({ group_key, supported_types: supportedTypes }),
  summary: 'Returns a group of notifications.',
  answer: GroupedNotificationsEntity,
  async handler(context, { group_key: key, supported_types: supported }) {
    const groups = [await shownGroup(context, key)];
    const { services, grant } = context;
    const options = { inList: false, partialAccounts: false, supported, dialect: grant.dialect };
    return lastingBytes(services.answers.notificationGroups(groups, options));
  },
});

export const getGroupAccounts = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/:group_key/accounts',
  authentication: 'user',
  scopes: ['write:notifications', 'read:notifications'],
  parameters: z.object({ group_key }),
  summary: 'Lists the accounts in a group of notifications, newest first.',
  answer: z.array(AccountEntity),
  async handler(context, { group_key: key }) {
    const { accounts } = await shownGroup(context, key);
    const { slices, answers } = context.services;
    const body = slices.run(answers.accountsInSlices(accounts), context.request);
    if (body instanceof Promise) return jsonBytes(await body);
    return body instanceof Uint8Array ? lastingBytes(body) : jsonBytes(body);
  },
});

export const postDismissGroup = endpoint({
  method: 'POST',
  path: '/api/v2/notifications/:group_key/dismiss',
  authentication: 'user',
  scopes: ['write:notifications'],
  parameters: z.object({ group_key }),
  summary: 'Removes all notifications of a group.',
  answer: EmptyEntity,
  async handler(context, { group_key: key }) {
    await dismissNotificationGroup(context, { key });
    return empty();
  },
});

export const groupedNotificationEndpoints = [getGroups, getGroup, getGroupAccounts, postDismissGroup];
