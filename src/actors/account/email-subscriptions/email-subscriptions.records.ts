/** Subscriptions to the posts of an account by mail, as stored. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const EmailSubscription = z.object({
  /** In small letters. */
  email: z.string(),
  /** The language of whoever subscribed. */
  locale: z.string(),
  createdAt: z.number(),
  /** When the link was last sent that confirms it. */
  askedAt: z.number(),
  confirmedAt: z.number().optional(),
});
export type EmailSubscription = z.infer<typeof EmailSubscription>;

/** One for an account that anybody has subscribed to. */
export const EmailSubscriptions = z.object({
  total: z.number(),
  confirmed: z.number(),
  /** Posts above this id go into the next mail; absent where there is none. */
  waiting: z.object({ afterId: identifier }).optional(),
  /** The last day (since 1970) with mails, and how many each subscriber was sent on it. */
  sent: z.object({ day: z.number(), mails: z.number() }).optional(),
  /** All are being removed. */
  isEnding: z.boolean().optional(),
});
export type EmailSubscriptions = z.infer<typeof EmailSubscriptions>;
