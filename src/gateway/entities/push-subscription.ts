/** The WebPushSubscription entity. */
import { z } from 'zod';
import { type PushSubscription, pushAlerts, pushPolicies } from '../../actors/account/push/push.records.ts';
import type { Dialect } from '../../actors/session/session.messages.ts';
import { flag, id, text } from './values.ts';

const AlertsEntity = z.strictObject(Object.fromEntries(pushAlerts.map((alert) => [alert, flag])));

export const PushSubscriptionEntity = z
  .strictObject({
    /** Dialect `mastodon`: a number. Nothing is asked for by it. */
    id: z.union([id, z.int32().min(0)]),
    endpoint: text,
    standard: flag,
    /** The public key with which the server signs for the push service: an uncompressed point, base64url. */
    server_key: text,
    alerts: AlertsEntity,
    policy: z.enum(pushPolicies),
  })
  .meta({ id: 'WebPushSubscription' });

export function pushSubscriptionEntity(
  { id: subscriptionId, endpoint, isStandard, alerts, policy }: PushSubscription,
  serverKey: string,
  dialect: Dialect,
): z.infer<typeof PushSubscriptionEntity> {
  return {
    id: dialect === 'mastodon' ? Number(BigInt.asUintN(31, subscriptionId)) : subscriptionId.toString(),
    endpoint,
    standard: isStandard,
    server_key: serverKey,
    alerts: Object.fromEntries(pushAlerts.map((alert) => [alert, alerts.includes(alert)])),
    policy,
  };
}
