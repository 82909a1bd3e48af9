/** The Admin::Webhook entity, our own. */
import { z } from 'zod';
import type { StoredWebhook } from '../../../actors/instance/webhooks/webhooks.queries.ts';
import { webhookEventNames } from '../../../actors/policy/webhooks.ts';
import { count, flag, id, text, time, timestamp } from '../values.ts';

export const AdminWebhookEntity = z
  .strictObject({
    id,
    url: text,
    events: z.array(z.enum(webhookEventNames)),
    /** Of the body; empty for the usual one. */
    template: text,
    enabled: flag,
    /** With which requests are signed. */
    secret: text,
    created_at: time,
    updated_at: time,
    /** When a request was last accepted; null before the first. */
    last_accepted_at: time.nullable(),
    /** The last one that was not, with the status of its answer or what was in the way of one. */
    last_failure: z.strictObject({ at: time, status: count.nullable(), detail: text.nullable() }).nullable(),
  })
  .meta({ id: 'Admin.Webhook' });

export function adminWebhookEntity(webhook: StoredWebhook): z.output<typeof AdminWebhookEntity> {
  const { acceptedAt, failedAt, problem = {} } = webhook;
  return {
    id: webhook.id.toString(),
    url: webhook.url,
    events: webhook.events,
    template: webhook.template,
    enabled: webhook.isEnabled,
    secret: webhook.secret,
    created_at: timestamp(webhook.createdAt),
    updated_at: timestamp(webhook.updatedAt),
    last_accepted_at: acceptedAt === undefined ? null : timestamp(acceptedAt),
    last_failure:
      failedAt === undefined
        ? null
        : { at: timestamp(failedAt), status: problem.status ?? null, detail: problem.detail ?? null },
  };
}
