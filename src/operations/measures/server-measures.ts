/** Measures of the whole server: people, what they do, reports. */

import { accountIdsListed } from '../../actors/account/account-lists.queries.ts';
import { allListedReports } from '../../actors/account/reports/reports.queries.ts';
import { activeAccounts, countsOfDays, type DailyCountKind } from '../../actors/daily-counts.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { firstIdAt } from '../../runtime/ids.ts';
import { type Asked, beginningOf, DayCounts, eachOf, type Figures, sumOf } from './measure.ts';

export function* activeUsers({ services, days }: Asked): Generator<undefined, Figures> {
  const { inAll, byDay } = yield* activeAccounts(services.snapshots.partitions, days);
  return { total: inAll, byDay };
}

export function countedByDay(kind: DailyCountKind) {
  return function* ({ services, days }: Asked): Generator<undefined, Figures> {
    const byDay = yield* countsOfDays(services.snapshots.partitions, kind, days);
    return { total: sumOf(byDay), byDay };
  };
}

/** Local accounts that were made then, whatever became of them. */
export function* newUsers(asked: Asked): Generator<undefined, Figures> {
  return yield* idsByDay(asked, (range) => accountIdsListed(asked.services.snapshots, 'local', range));
}

export function* openedReports(asked: Asked): Generator<undefined, Figures> {
  return yield* idsByDay(asked, function* (range) {
    for (const { id } of allListedReports(asked.services.snapshots, range)) yield id;
  });
}

function* idsByDay(
  { days }: Asked,
  idsWithin: (range: { readonly from: Id; readonly until: Id }) => Iterable<Id>,
): Generator<undefined, Figures> {
  const counts = new DayCounts(days);
  const range = { from: firstIdAt(beginningOf(days.first)), until: firstIdAt(beginningOf(days.last + 1)) };
  yield* eachOf(idsWithin(range), (id) => counts.addId(id));
  return { total: sumOf(counts.byDay), byDay: counts.byDay };
}
