/** How many notifications, or groups, are newer than the marker: versions 1 and 2 (behaviour of the Mastodon API). */
import { z } from 'zod';
import { markersOf } from '../../../actors/account/markers/markers.queries.ts';
import type { GroupedType } from '../../../actors/policy/notification-groups.ts';
import { presentationLimits } from '../../../operations/presentation/limits.ts';
import { count as countType } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { limit, wordList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { choiceOf, choiceParameters, groupedOf } from './choice-parameters.ts';

const parameters = { ...choiceParameters, limit: limit(100, 1_000) };
const CountEntity = z.strictObject({ count: countType });
const nothing: ReadonlySet<GroupedType> = new Set();

async function counted(
  { services, grant, request }: UserContext<GatewayServices>,
  given: Parameters<typeof choiceOf>[0] & { limit: number },
  grouped: ReadonlySet<GroupedType>,
): Promise<Answer> {
  const { accountId } = grant;
  const { snapshots, notificationGroups, notificationSlices } = services;
  const counting = {
    choice: choiceOf(given),
    grouped,
    sinceId: markersOf(snapshots, accountId).notifications?.lastReadId,
    countMax: given.limit,
    lookedMax: presentationLimits.notificationsCountedMax,
  };
  const steps = () => notificationGroups.countNewerInSlices(accountId, counting);
  const { count } = await notificationSlices.run(steps, request);
  return json({ count });
}

export const getUnreadCount = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/unread_count',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters: z.object(parameters),
  summary: 'Counts unread notifications, up to a bound.',
  answer: CountEntity,
  handler: (context, given) => counted(context, given, nothing),
});

export const getUnreadGroupCount = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/unread_count',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters: z.object({ ...parameters, grouped_types: wordList }),
  summary: 'Counts unread groups of notifications, up to a bound.',
  answer: CountEntity,
  handler: (context, given) => counted(context, given, groupedOf(given.grouped_types)),
});

export const unreadCountEndpoints = [getUnreadCount, getUnreadGroupCount];
