/** The days that staff ask about. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { type Days, numberOfDays } from '../../actors/daily-counts.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { validationFailure } from '../../runtime/errors.ts';

/** Two years. */
const periodDaysMax = 732;
const daysByDefault = 30;

/** Milliseconds since 1970; of the days both are included. */
export const period = z.object({ from: z.number().min(0), until: z.number().min(0) });

/** What some figures are about: a hashtag, or another server. */
export const about = z.object({
  tagId: identifier.optional(),
  domain: z.string().optional(),
  includesSubdomains: z.boolean().optional(),
});

/** Throws Failure validation. */
export function daysOf({ from, until }: z.output<typeof period>): Days {
  const days = { first: dayOf(from), last: dayOf(until) };
  if (numberOfDays(days) < 1) throw validationFailure('The end is before the beginning');
  if (numberOfDays(days) > periodDaysMax) throw validationFailure(`There are at most ${periodDaysMax} days`);
  return days;
}

/** Up to now. */
export function latestPeriod(now: number, days = daysByDefault): z.output<typeof period> {
  return { from: now - (days - 1) * 24 * 60 * 60 * 1_000, until: now };
}
