/** What measures and dimensions of the dashboard have in common: their period, what they are about, how they count. */
import { type Days, numberOfDays } from '../../actors/daily-counts.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { type Id, timeOfId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Entries looked at for one figure. Of more only those are counted. */
const countedMax = 500_000;
const countedPerSlice = 500;

/** What some of them are about. */
export interface About {
  readonly tagId?: Id | undefined;
  readonly domain?: string | undefined;
  readonly includesSubdomains?: boolean | undefined;
}

export interface Asked {
  readonly services: Services;
  readonly days: Days;
  readonly about: About;
}

export interface Figures {
  readonly total: number;
  readonly byDay: readonly number[];
  readonly unit?: 'bytes';
}

/** So many days just before. */
export function daysBefore(days: Days): Days {
  const count = numberOfDays(days);
  return { first: days.first - count, last: days.last - count };
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The ids of a day and those after it. */
export function beginningOf(day: number): number {
  return Math.max(0, day) * dayMilliseconds;
}

/** Counts what happened on each day of a period. */
export class DayCounts {
  readonly byDay: number[];
  private readonly days: Days;

  constructor(days: Days) {
    this.days = days;
    this.byDay = new Array<number>(numberOfDays(days)).fill(0);
  }

  add(day: number, count = 1): void {
    const index = day - this.days.first;
    if (index >= 0 && index < this.byDay.length) this.byDay[index]! += count;
  }

  addId(id: Id): void {
    this.add(dayOf(timeOfId(id)));
  }
}

/** Visits each, up to a bound, with pauses. In slices (see TimeSlices). */
export function* eachOf<Item>(items: Iterable<Item>, visit: (item: Item) => void): Generator<undefined, void> {
  let looked = 0;
  for (const item of items) {
    if (looked === countedMax) return;
    if (looked > 0 && looked % countedPerSlice === 0) yield;
    visit(item);
    looked += 1;
  }
}
