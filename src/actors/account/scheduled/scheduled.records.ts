/** The record of a scheduled status: the input as written, because it is processed only when published. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';
import { QuotePolicy } from '../quotes/quotes.records.ts';
import { ReplyPolicy } from '../statuses/reply-policy.records.ts';
import { PublishStatus } from '../statuses/statuses.messages.ts';

export const ScheduledPost = PublishStatus.pick({
  text: true,
  spoilerText: true,
  visibility: true,
  language: true,
  inReplyToId: true,
  poll: true,
  application: true,
  idempotencyKey: true,
}).extend({
  sensitive: z.boolean().optional(),
  allowedMentionIds: z.array(identifier).optional(),
  applicationId: identifier.optional(),
  quotedStatusId: identifier.optional(),
  quotePolicy: QuotePolicy.optional(),
  mediaIds: z.array(identifier).optional(),
  replyPolicy: ReplyPolicy.optional(),
  localOnly: z.boolean().optional(),
});
export type ScheduledPost = z.infer<typeof ScheduledPost>;

export const ScheduledStatus = z.object({ id: identifier, scheduledAt: z.number(), post: ScheduledPost });
export type ScheduledStatus = z.infer<typeof ScheduledStatus>;
