/** Records of webhooks: addresses that are told what happens on this server. Times are milliseconds since 1970. */
import { z } from 'zod';
import { webhookEventNames } from '../../policy/webhooks.ts';

export const WebhookEventName = z.enum(webhookEventNames);

/** What staff decide about it. */
export const WebhookContent = z.object({
  url: z.string(),
  events: z.array(WebhookEventName),
  /** Of the body (policy/webhook-template.ts); empty for the usual one. */
  template: z.string(),
});
export type WebhookContent = z.infer<typeof WebhookContent>;

/** Why a request was not accepted: the status of the answer, or what was in the way of one. */
const WebhookProblem = z.object({ status: z.number().optional(), detail: z.string().optional() });
export type WebhookProblem = z.infer<typeof WebhookProblem>;

/** How a request has ended. */
export const WebhookAnswer = z.object({ at: z.number(), problem: WebhookProblem.optional() });
export type WebhookAnswer = z.infer<typeof WebhookAnswer>;

export const Webhook = WebhookContent.extend({
  /** With which requests are signed; hexadecimal digits. */
  secret: z.string(),
  isEnabled: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The last request that was accepted, as far as it was told. */
  acceptedAt: z.number().optional(),
  /** The last one that was not, with the reason. */
  failedAt: z.number().optional(),
  problem: WebhookProblem.optional(),
});
export type Webhook = z.infer<typeof Webhook>;
