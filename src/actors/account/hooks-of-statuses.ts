/** What features do when something happens to a status, in this order. */
import { cardHooks } from './cards/card.hooks.ts';
import { emailSubscriptionHooks } from './email-subscriptions/email-subscriptions.hooks.ts';
import { featuredTagHooks } from './featured-tags/featured-tags.hooks.ts';
import { importHooks } from './imports/imports.hooks.ts';
import { interactionHooks } from './interactions/interactions.hooks.ts';
import { attachmentsHooks } from './media/attachments.hooks.ts';
import { pinHooks } from './pins/pins.hooks.ts';
import { pollHooks } from './polls/poll.hooks.ts';
import { quoteHooks } from './quotes/quote.hooks.ts';
import { replyRequestHooks } from './reply-requests/reply-requests.hooks.ts';
import type { StatusHooks } from './statuses/status-hooks.ts';
import { replyPolicyHooks } from './threads/reply-policy.hooks.ts';

export const statusHooks: readonly StatusHooks[] = [
  attachmentsHooks,
  pollHooks,
  quoteHooks,
  cardHooks,
  featuredTagHooks,
  pinHooks,
  interactionHooks,
  replyPolicyHooks,
  replyRequestHooks,
  importHooks,
  emailSubscriptionHooks,
];
