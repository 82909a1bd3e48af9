/** Web push subscriptions (specification 4.8): one per access token. */
import { z } from 'zod';
import { findPushSubscription } from '../../../actors/account/push/push.queries.ts';
import { type PushSubscription, pushAlerts, pushPolicies } from '../../../actors/account/push/push.records.ts';
import type { InstanceSecrets } from '../../../actors/instance/instance.messages.ts';
import { digestOfSecret } from '../../../actors/session/session.messages.ts';
import { changePush, subscribeToPush, unsubscribeFromPush } from '../../../operations/push/change-subscription.ts';
import { Failure } from '../../../runtime/errors.ts';
import { withSecrets } from '../../../services/instance-secrets.ts';
import { sealingKey, sealToken } from '../../../services/sealed-tokens.ts';
import { PushSubscriptionEntity, pushSubscriptionEntity } from '../../entities/push-subscription.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, choice, demanded, group, required, text } from '../../http/parameter-types.ts';
import { tokenOf } from '../../http/token.ts';
import { endpoint } from '../../route.ts';

const path = '/api/v1/push/subscription';
const common = { path, authentication: 'user', scopes: ['push'] } as const;

const flags = Object.fromEntries(pushAlerts.map((alert) => [alert, boolean]));
/** Some clients send `admin[report]` for `admin.report`. */
const alerts = group({ ...flags, admin: group({ sign_up: boolean, report: boolean }) });
const policy = choice(pushPolicies);
const data = group({ alerts, policy });

interface GivenData {
  readonly data?: z.output<typeof data>;
  readonly policy?: z.output<typeof policy>;
}

function alertsOf(given: GivenData): string[] | undefined {
  const asked = given.data?.alerts;
  if (asked === undefined) return undefined;
  const nested = { 'admin.sign_up': asked.admin?.sign_up, 'admin.report': asked.admin?.report };
  const all: Readonly<Record<string, unknown>> = { ...asked };
  return pushAlerts.filter((alert) => (all[alert] ?? (nested as Record<string, unknown>)[alert]) === true);
}

function policyOf(given: GivenData): PushSubscription['policy'] | undefined {
  return given.policy ?? given.data?.policy;
}

function answer(
  { services, grant: { dialect } }: UserContext<GatewayServices>,
  subscription: PushSubscription,
): Answer | Promise<Answer> {
  return withSecrets(services, ({ vapidPublicKey }) =>
    json(pushSubscriptionEntity(subscription, vapidPublicKey, dialect)),
  );
}

/** Undefined where the request does not show the token that let it in. */
function sealedTokenOf(
  { request, grant: { accountId, tokenId } }: UserContext<GatewayServices>,
  secrets: InstanceSecrets,
  endpointAddress: string,
  inBody: string | undefined,
): string | undefined {
  const token = tokenOf(request) ?? inBody;
  if (token === undefined || digestOfSecret(token) !== tokenId) return undefined;
  return sealToken(sealingKey(secrets), { accountId, tokenId, endpoint: endpointAddress }, token);
}

export const postSubscription = endpoint({
  ...common,
  method: 'POST',
  parameters: z.object({
    subscription: demanded(
      'subscription',
      group({
        endpoint: required(text),
        keys: group({ p256dh: required(text), auth: required(text) }),
        standard: boolean,
      }),
    ),
    data,
    policy,
    access_token: text,
  }),
  summary: 'Creates a push subscription, which ends with the token.',
  answer: PushSubscriptionEntity,
  async handler(context, given) {
    const { endpoint: address, keys = { p256dh: '', auth: '' }, standard: isStandard = false } = given.subscription;
    const options = { alerts: alertsOf(given) ?? [], policy: policyOf(given) ?? 'all' } as const;
    const { tokenId } = context.grant;
    return await withSecrets(context.services, async (secrets) => {
      const sealedToken = sealedTokenOf(context, secrets, address, given.access_token);
      const subscription = { endpoint: address, ...keys, isStandard, ...options, sealedToken };
      return answer(context, await subscribeToPush(context, { tokenId, subscription }));
    });
  },
});

export const getSubscription = endpoint({
  ...common,
  method: 'GET',
  summary: 'Returns the push subscription of this token.',
  answer: PushSubscriptionEntity,
  handler(context) {
    const { services, grant } = context;
    const subscription = findPushSubscription(services.snapshots, grant.accountId, grant.tokenId);
    if (subscription === undefined) throw new Failure('notFound');
    return answer(context, subscription);
  },
});

export const putSubscription = endpoint({
  ...common,
  methods: ['PUT', 'PATCH'],
  parameters: z.object({ data, policy }),
  summary: 'Changes the alerts and the policy of the push subscription.',
  answer: PushSubscriptionEntity,
  async handler(context, given) {
    const changes = { alerts: alertsOf(given), policy: policyOf(given) };
    return answer(context, await changePush(context, { tokenId: context.grant.tokenId, changes }));
  },
});

export const deleteSubscription = endpoint({
  ...common,
  method: 'DELETE',
  summary: 'Removes the push subscription of this token.',
  answer: EmptyEntity,
  async handler(context) {
    await unsubscribeFromPush(context, { tokenId: context.grant.tokenId });
    return empty();
  },
});

export const pushEndpoints = [postSubscription, getSubscription, putSubscription, deleteSubscription];
