/** The WebPushSubscription entity. */
import { z } from 'zod';
import { type PushSubscription, pushAlerts, pushPolicies } from '../../actors/account/push/push.records.ts';
import type { Dialect } from '../../actors/session/session.messages.ts';
import { flag, idOfNoUse, idOfNoUseFor, text } from './values.ts';

const AlertsEntity = z.strictObject(Object.fromEntries(pushAlerts.map((alert) => [alert, flag])));

export const PushSubscriptionEntity = z
  .strictObject({
    id: idOfNoUse,
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
    id: idOfNoUseFor(dialect, subscriptionId),
    endpoint,
    standard: isStandard,
    server_key: serverKey,
    alerts: Object.fromEntries(pushAlerts.map((alert) => [alert, alerts.includes(alert)])),
    policy,
  };
}
