/** The record of a scheduled status: the input as written, because it is processed only when published. */
import { z } from 'zod';
import { identifier, Visibility } from '../account.records.ts';
import { Poll } from '../polls/polls.records.ts';
import { QuotePolicy } from '../quotes/quotes.records.ts';

export const ScheduledPost = z.object({
  text: z.string(),
  spoilerText: z.string(),
  visibility: Visibility,
  sensitive: z.boolean().optional(),
  language: z.string().optional(),
  inReplyToId: identifier.optional(),
  allowedMentionIds: z.array(identifier).optional(),
  poll: Poll.omit({ expiresAt: true }).extend({ expiresInSeconds: z.number() }).optional(),
  application: z.object({ name: z.string(), website: z.string().optional() }).optional(),
  applicationId: identifier.optional(),
  idempotencyKey: z.string().optional(),
  quotedStatusId: identifier.optional(),
  quotePolicy: QuotePolicy.optional(),
});
export type ScheduledPost = z.infer<typeof ScheduledPost>;

export const ScheduledStatus = z.object({ id: identifier, scheduledAt: z.number(), post: ScheduledPost });
export type ScheduledStatus = z.infer<typeof ScheduledStatus>;
