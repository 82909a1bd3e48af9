/** /api/v2/notifications/policy (behaviour of the Mastodon API; PUT and PATCH are equivalent). */
import { z } from 'zod';
import { notificationPolicyOf } from '../../../actors/account/notifications/notification-requests.queries.ts';
import { treatments } from '../../../actors/policy/notification-policy.ts';
import { changeNotificationPolicy } from '../../../operations/notifications/change-policy.ts';
import type { Id } from '../../../runtime/ids.ts';
import { NotificationPolicyEntity, notificationPolicyEntity } from '../../entities/notification-request.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import { choice } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const path = '/api/v2/notifications/policy';

function answerPolicy({ snapshots, notificationRequests }: GatewayServices, accountId: Id): Answer {
  const policy = notificationPolicyOf(snapshots, accountId);
  return json(notificationPolicyEntity(policy, notificationRequests.pending(accountId)));
}

const getPolicy = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes: ['read:notifications'],
  summary: 'Returns the policy for notifications from unknown senders, and the number of pending requests.',
  answer: NotificationPolicyEntity,
  handler: ({ services, grant }) => answerPolicy(services, grant.accountId),
});

const treatment = choice(treatments);

const changePolicy = endpoint({
  methods: ['PATCH', 'PUT'],
  path,
  authentication: 'user',
  scopes: ['write:notifications'],
  parameters: z.object({
    for_not_following: treatment,
    for_not_followers: treatment,
    for_new_accounts: treatment,
    for_private_mentions: treatment,
    for_limited_accounts: treatment,
    for_bots: treatment,
  }),
  summary: 'Changes the policy for notifications from unknown senders.',
  answer: NotificationPolicyEntity,
  async handler(context, given) {
    await changeNotificationPolicy(context, {
      forNotFollowing: given.for_not_following,
      forNotFollowers: given.for_not_followers,
      forNewAccounts: given.for_new_accounts,
      forPrivateMentions: given.for_private_mentions,
      forLimitedAccounts: given.for_limited_accounts,
      forBots: given.for_bots,
    });
    return answerPolicy(context.services, context.grant.accountId);
  },
});

export const notificationPolicyEndpoints = [getPolicy, changePolicy] as const;
