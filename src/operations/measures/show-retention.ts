/** How many of the people who came in a period were active in it, and in each later one (behaviour of the Mastodon API). */
import { z } from 'zod';
import { accountIdsListed } from '../../actors/account/account-lists.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { lastActiveDay } from '../../actors/session/session.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { firstIdAt, timeOfId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { keptFigures } from './kept-figures.ts';
import { beginningOf, eachOf } from './measure.ts';
import { daysOf, period } from './period.ts';

export const retentionFrequencies = ['day', 'month'] as const;
export type RetentionFrequency = (typeof retentionFrequencies)[number];

/** Of each frequency. */
const periodsMax = { day: 31, month: 12 } as const;

export interface Cohort {
  /** The first day (since 1970) of the day or month in which they came. */
  readonly firstDay: number;
  /** From that period on; of each how many were active in it or later. */
  readonly retained: readonly { readonly firstDay: number; readonly count: number; readonly rate: number }[];
}

export const showRetention = operation({
  input: period.extend({ frequency: z.enum(retentionFrequencies) }),
  permission: 'viewDashboard',
  audit: reads,
  /** Oldest first. Throws Failure validation for too long a period. */
  async run({ services }, { frequency, ...given }): Promise<readonly Cohort[]> {
    const { first, last } = daysOf(given);
    const begins = periodsOf(frequency, first, last);
    const max = periodsMax[frequency];
    if (begins.length > max) throw validationFailure(`There are at most ${max} ${frequency}s`);
    return keptFigures(services).get(`retention ${frequency} ${first} ${last}`, () =>
      services.slices.run(cohortsOf(services, begins, last)),
    );
  },
});

/** The first days of all periods that have a day within. */
function periodsOf(frequency: RetentionFrequency, first: number, last: number): number[] {
  const begins: number[] = [];
  for (let day = firstDayOf(frequency, first); day <= last; day = firstDayOf(frequency, day + daysInLongest[frequency]))
    begins.push(day);
  return begins;
}

/** From its first day on, so many days later is within the next period. */
const daysInLongest = { day: 1, month: 31 } as const;

function firstDayOf(frequency: RetentionFrequency, day: number): number {
  if (frequency === 'day') return day;
  const date = new Date(beginningOf(day));
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
}

function* cohortsOf(services: Services, begins: readonly number[], last: number): Generator<undefined, Cohort[]> {
  const { snapshots } = services;
  const indexOf = (day: number) => begins.findLastIndex((begin) => begin <= day);
  const members = begins.map(() => 0);
  /** Of each cohort, by the period of their last activity. */
  const lastActive = begins.map(() => begins.map(() => 0));
  const range = { from: firstIdAt(beginningOf(begins[0]!)), until: firstIdAt(beginningOf(last + 1)) };
  yield* eachOf(accountIdsListed(snapshots, 'local', range), (accountId) => {
    const cohort = indexOf(dayOf(timeOfId(accountId)));
    members[cohort]! += 1;
    const active = lastActiveDay(snapshots, accountId);
    const until = active === undefined ? -1 : indexOf(active);
    if (until >= cohort) lastActive[cohort]![until]! += 1;
  });
  return begins.map((firstDay, cohort) => {
    const later = begins.slice(cohort);
    return {
      firstDay,
      retained: later.map((begin, index) => {
        const count = lastActive[cohort]!.slice(cohort + index).reduce((sum, one) => sum + one, 0);
        return { firstDay: begin, count, rate: count / Math.max(members[cohort]!, 1) };
      }),
    };
  });
}
