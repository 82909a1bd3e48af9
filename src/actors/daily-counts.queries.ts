/** Reads what happened on days. Sums of all partitions. */
import type { Reader } from '../runtime/storage/reader.ts';
import { type DailyCountKind, dailyCountKinds, dailyCounts, pauseOfKind } from './daily-counts.state.ts';

export type { DailyCountKind } from './daily-counts.state.ts';

/** Days since 1970, both included. Those before it, which a long period is compared with, have nothing. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

export function numberOfDays({ first, last }: Days): number {
  return last - first + 1;
}

/** In slices (see TimeSlices), one for each partition. */
export function* countsOfDays(
  partitions: readonly Reader[],
  kind: DailyCountKind,
  days: Days,
): Generator<undefined, number[]> {
  const byDay = new Array<number>(numberOfDays(days)).fill(0);
  for (const partition of partitions) {
    for (let index = Math.max(0, -days.first); index < byDay.length; index += 1)
      byDay[index]! += partition.get(dailyCounts, [days.first + index, dailyCountKinds[kind]]) ?? 0;
    yield;
  }
  return byDay;
}

export interface ActiveAccounts {
  /** Each account once. */
  readonly inAll: number;
  readonly byDay: readonly number[];
}

/** In slices (see TimeSlices), one for the days of each partition. */
export function* activeAccounts(partitions: readonly Reader[], days: Days): Generator<undefined, ActiveAccounts> {
  const byDay = new Array<number>(numberOfDays(days)).fill(0);
  let inAll = 0;
  for (const partition of partitions) {
    const within = { from: Math.max(0, days.first), until: Math.max(0, days.last + 1) };
    const entries = partition.range(dailyCounts, [], within);
    for (const { key, value } of entries) {
      const [day, kind] = key;
      const pause = pauseOfKind(kind);
      if (pause === undefined) continue;
      byDay[day - days.first]! += value;
      if (pause === 0 || day - pause < days.first) inAll += value;
    }
    yield;
  }
  return { inAll, byDay };
}
