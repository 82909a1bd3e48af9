/** Webhooks. Message numbers 640 to 645 and 665 of the instance. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { WebhookAnswer, WebhookContent } from './webhooks.records.ts';

const named = z.object({ webhookId: identifier });

export const webhookMessages = {
  /** Throws Failure validation above the bound. */
  addWebhook: call(640, WebhookContent.extend({ secret: z.string(), ...audited }), named),
  /** Throws Failure notFound, as those below do. */
  changeWebhook: call(641, named.extend({ content: WebhookContent, ...audited }), z.undefined()),
  removeWebhook: call(642, named.extend(audited), z.undefined()),
  /** One that is enabled is told of what happens from then on. */
  enableWebhook: call(643, named.extend({ isEnabled: z.boolean(), ...audited }), z.undefined()),
  /** Requests are signed with this secret from now on. */
  replaceWebhookSecret: call(644, named.extend({ secret: z.string(), ...audited }), z.undefined()),
  /** How a request has ended; of those that end alike in a short time only some are told. Ignored for one that is gone. */
  webhookAnswered: call(645, named.extend({ answer: WebhookAnswer }), z.undefined()),
  /** It is told that it is tested. Throws Failure notFound, and validation for one that is disabled. */
  testWebhook: call(665, named.extend(audited), z.undefined()),
};
