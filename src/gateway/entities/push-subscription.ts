/** The WebPushSubscription entity. */
import { z } from 'zod';
import { type PushSubscription, pushAlerts, pushPolicies } from '../../actors/account/push/push.records.ts';
import { flag, id, text } from './values.ts';

const AlertsEntity = z.strictObject(Object.fromEntries(pushAlerts.map((alert) => [alert, flag])));

export const PushSubscriptionEntity = z
  .strictObject({
    id,
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
): z.infer<typeof PushSubscriptionEntity> {
  return {
    id: subscriptionId.toString(),
    endpoint,
    standard: isStandard,
    server_key: serverKey,
    alerts: Object.fromEntries(pushAlerts.map((alert) => [alert, alerts.includes(alert)])),
    policy,
  };
}
