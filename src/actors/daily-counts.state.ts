/**
 * What happens on a day, counted by the turns that do it, in the partition where they run: for the figures of staff. What
 * ids tell by their time (when an account or a report was made) is counted from the lists of them instead. Number 197.
 *
 * Accounts active on a day are counted by how many days ago they were active before. Whoever was active in a period was
 * active in it for the first time on exactly one day, so that a sum over the days of any period counts each account once,
 * without storing which accounts they are.
 */

import { z } from 'zod';
import { packed } from '../runtime/codec.ts';
import type { Turn } from '../runtime/partition/turn.ts';
import { keyspace, uint32 } from '../runtime/storage/keyspace.ts';

/** What is counted, besides active accounts. Append only: the numbers are stored. */
export const dailyCountKinds = { interactions: 1, resolvedReports: 2 } as const;
export type DailyCountKind = keyof typeof dailyCountKinds;

/** Accounts that were not active before, or longer ago, are counted with pause 0. */
const pauseDaysMax = 180;
const kindOfPause = 1_000;

/** Two years, and the two before them, which they are compared with. */
export const dailyCountDays = 4 * 366;
/** A new day drops those of one old day, and more where days without any count lie between. */
const droppedPerTurn = 500;

export const dailyCounts = keyspace<[number, number], number>({
  number: 197,
  name: 'daily counts',
  owner: 'instance',
  sharedWith: ['account', 'session'],
  partitionWide: true,
  absentIfDamaged: true,
  beginsAnewIfDamaged: true,
  key: [uint32('day'), uint32('what')],
  value: packed(z.number()),
  bound: { by: 'count', entries: (dailyCountDays + 1) * (pauseDaysMax + 3) },
});

/** `day`: since 1970, as everywhere here. */
export function countOnDay(turn: Turn, kind: DailyCountKind, day: number, change = 1): void {
  count(turn, day, dailyCountKinds[kind], change);
}

/** Once a day for each account; `before`: when it was active last. */
export function countActive(turn: Turn, before: number | undefined, day: number): void {
  const pause = before === undefined ? 0 : day - before;
  count(turn, day, kindOfPause + (pause > pauseDaysMax ? 0 : pause), 1);
}

/** The days since an account was active before, where that is what is counted; 0 for never, or long ago. */
export function pauseOfKind(kind: number): number | undefined {
  return kind < kindOfPause ? undefined : kind - kindOfPause;
}

function count(turn: Turn, day: number, kind: number, change: number): void {
  const before = turn.get(dailyCounts, [day, kind]);
  turn.put(dailyCounts, [day, kind], Math.max(0, (before ?? 0) + change));
  if (before !== undefined) return;
  const old = { until: Math.max(0, day - dailyCountDays), limit: droppedPerTurn };
  for (const { key } of [...turn.range(dailyCounts, [], old)]) turn.delete(dailyCounts, key);
}
