/**
 * Usage statistics, counted by the turns that change them, in the partition where they run. A read sums a few
 * partitions: no account is examined, however many there are, and the sums are exact. Numbers 105 to 107.
 *
 * Accounts active within a window are counted without storing which: each account counts on the one day it was last
 * active, so a sum over the days of the window counts it once.
 */
import { z } from 'zod';
import { packed, record } from '../runtime/codec.ts';
import type { Turn } from '../runtime/partition/turn.ts';
import { keyspace, uint32, uint53 } from '../runtime/storage/keyspace.ts';
import { countActive } from './daily-counts.state.ts';

/** The longest window is 180 days (specification 2.2); older days are dropped. */
export const activityDays = 180;

export const UsageTotals = z.object({
  /** Local accounts that are confirmed, approved and not suspended. */
  users: z.number().default(0),
  /** Statuses of local accounts, without reblogs. */
  statuses: z.number().default(0),
  /** Hosts of known remote accounts. */
  hosts: z.number().default(0),
});
export type UsageTotals = z.infer<typeof UsageTotals>;

export const noUsage: UsageTotals = { users: 0, statuses: 0, hosts: 0 };

export const usageTotals = keyspace<[number], UsageTotals>({
  number: 105,
  name: 'usage totals',
  owner: 'instance',
  sharedWith: ['account', 'directory'],
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  beginsAnewIfDamaged: true,
  key: [uint32('always 0')],
  value: record(UsageTotals),
  bound: { by: 'count', entries: 1 },
});

/** Day (since 1970) to the number of accounts last active on it. */
export const lastActive = keyspace<[number], number>({
  number: 106,
  name: 'last active',
  owner: 'instance',
  sharedWith: ['session'],
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  beginsAnewIfDamaged: true,
  key: [uint53('day')],
  value: packed(z.number()),
  bound: { by: 'count', entries: activityDays + 1 },
});

/** Weeks reported as the instance's activity (specification 2.7). */
export const activityWeeks = 12;
const weekDays = 7;
/** 1 January 1970 was a Thursday; weeks begin on Monday (ISO 8601). */
const daysBeforeFirstMonday = -3;

/** The week of a day, both counted since 1970. */
export function weekOf(day: number): number {
  return Math.floor((day - daysBeforeFirstMonday) / weekDays);
}

export function firstDayOfWeek(week: number): number {
  return week * weekDays + daysBeforeFirstMonday;
}

const WeeklyActivity = z.object({
  /** Public and unlisted statuses written here. */
  statuses: z.number().default(0),
  /** Accounts that were active. */
  logins: z.number().default(0),
  /** Accounts that were made. */
  registrations: z.number().default(0),
});
export type WeeklyActivity = z.infer<typeof WeeklyActivity>;

/** Activity per week (since 1970). A status that is deleted later still counts for the week it was written. */
export const weeklyActivity = keyspace<[number], WeeklyActivity>({
  number: 107,
  name: 'weekly activity',
  owner: 'instance',
  sharedWith: ['account', 'session'],
  partitionWide: true,
  absentIfDamaged: true,
  beginsAnewIfDamaged: true,
  key: [uint32('week')],
  value: record(WeeklyActivity),
  bound: { by: 'count', entries: activityWeeks + 1 },
});

export function sumOfActivity(one: WeeklyActivity, other: WeeklyActivity): WeeklyActivity {
  return {
    statuses: one.statuses + other.statuses,
    logins: one.logins + other.logins,
    registrations: one.registrations + other.registrations,
  };
}

/** Adds one to a counter of the week of `day`. */
export function countActivity(turn: Turn, what: keyof WeeklyActivity, day: number): void {
  const week = weekOf(day);
  const before = turn.get(weeklyActivity, [week]);
  const counted = before ?? { statuses: 0, logins: 0, registrations: 0 };
  turn.put(weeklyActivity, [week], { ...counted, [what]: counted[what] + 1 });
  if (before !== undefined) return;
  const past = turn.range(weeklyActivity, [], { until: Math.max(0, week - activityWeeks) });
  for (const { key } of [...past]) turn.delete(weeklyActivity, key);
}

export function countUsage(turn: Turn, changes: Partial<UsageTotals>): void {
  const before = turn.get(usageTotals, [0]) ?? noUsage;
  turn.put(usageTotals, [0], {
    ...before,
    users: changed(before.users, changes.users),
    statuses: changed(before.statuses, changes.statuses),
    hosts: changed(before.hosts, changes.hosts),
  });
}

/** Totals that began anew after damage may lack what is taken away. */
function changed(before: number, change = 0): number {
  return Math.max(0, before + change);
}

/** An account last active on the day `before` is active on a later one: it counts once in each week. */
export function moveActivity(turn: Turn, before: number | undefined, day: number): void {
  const earlier = before === undefined ? undefined : turn.get(lastActive, [before]);
  if (before !== undefined && earlier !== undefined) turn.put(lastActive, [before], Math.max(0, earlier - 1));
  countActive(turn, before, day);
  if (before === undefined || weekOf(before) < weekOf(day)) countActivity(turn, 'logins', day);
  const present = turn.get(lastActive, [day]);
  turn.put(lastActive, [day], (present ?? 0) + 1);
  if (present === undefined) dropBefore(turn, day - activityDays);
}

function dropBefore(turn: Turn, day: number): void {
  for (const { key } of [...turn.range(lastActive, [], { until: Math.max(0, day) })]) turn.delete(lastActive, key);
}
