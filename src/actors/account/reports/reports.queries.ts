/** Reads reports for their authors and for staff. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { mergeIds } from '../../merge.ts';
import { type Page, type PageBounds, rangeOf, readsUpwards, takePage } from '../../pages.ts';
import type { Report } from './reports.records.ts';
import {
  listedReports,
  openReports,
  type ReportList,
  reportLists,
  reports,
  reportsByAccount,
  resolvedReports,
} from './reports.state.ts';

export function findReport(reader: Reader, reportId: Id): Report | undefined {
  return reader.get(reports, [reportId]);
}

/** The reports of an account, newest first; the cursors are ids of reports. */
export function reportsOf(reader: Reader, accountId: Id, bounds: PageBounds): Page<Report> {
  return takePage(
    reader.range(reportsByAccount, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key }) => findReport(reader, key[1]),
  );
}

/** Reports match all that is given. */
export interface ReportFilter {
  readonly isResolved?: boolean | undefined;
  readonly accountId?: Id | undefined;
  readonly targetId?: Id | undefined;
}

/** Of the whole server, newest first. */
export function reportsPage(snapshots: Snapshots, filter: ReportFilter, bounds: PageBounds): Page<Report> {
  const { accountId, targetId } = filter;
  const range = rangeOf(bounds);
  const isWanted = (report: Report) =>
    (accountId === undefined || report.accountId === accountId) &&
    (targetId === undefined || report.targetId === targetId);
  return takePage(
    mergeIds(
      snapshots.partitions.flatMap((partition) =>
        statesOf(filter).map((isResolved) => listedIds(partition, { ...filter, isResolved }, range)),
      ),
      readsUpwards(bounds) ? 'oldest first' : 'newest first',
    ),
    bounds,
    (reportId) => reportId,
    (reportId) => {
      const report = findReport(snapshots, reportId);
      return report !== undefined && isWanted(report) ? report : undefined;
    },
  );
}

function statesOf({ isResolved }: ReportFilter): readonly boolean[] {
  return isResolved === undefined ? [false, true] : [isResolved];
}

/** By the reported account where one is given, otherwise by the reporter, otherwise all. */
function* listedIds(
  reader: Reader,
  { isResolved, accountId, targetId }: ReportFilter & { readonly isResolved: boolean },
  range: ReturnType<typeof rangeOf>,
): Generator<Id> {
  const side = targetId ?? accountId;
  if (side === undefined) {
    for (const { key } of reader.range(isResolved ? resolvedReports : openReports, [], range)) yield key[0];
    return;
  }
  const list = `${isResolved ? 'closed' : 'open'}${targetId === undefined ? 'By' : 'About'}` satisfies ReportList;
  for (const { key } of reader.range(listedReports, [reportLists[list], side], range)) yield key[2];
}

/** All of them, oldest first in each list of each partition. */
export function* allListedReports(
  snapshots: Snapshots,
  range: { readonly from?: Id; readonly until?: Id } = {},
): Generator<{ readonly id: Id; readonly targetId: Id }> {
  for (const partition of snapshots.partitions)
    for (const list of [openReports, resolvedReports])
      for (const { key, value } of partition.range(list, [], range)) yield { id: key[0], targetId: value.targetId };
}

/** Oldest first in each partition. */
export function openReportsAbout(snapshots: Snapshots, targetId: Id, limit: number): Report[] {
  const ids = snapshots.partitions.flatMap((partition) => [
    ...partition.range(listedReports, [reportLists.openAbout, targetId], { limit }),
  ]);
  return ids.slice(0, limit).flatMap(({ key }) => findReport(snapshots, key[2]) ?? []);
}

/** The open reports of the whole server, newest first. */
export function latestOpenReports(snapshots: Snapshots, limit: number): Report[] {
  const sources = snapshots.partitions.map(function* (partition) {
    for (const { key } of partition.range(openReports, [], { reverse: true, limit })) yield key[0];
  });
  const found: Report[] = [];
  for (const reportId of mergeIds(sources, 'newest first')) {
    const report = findReport(snapshots, reportId);
    if (report !== undefined) found.push(report);
    if (found.length === limit) break;
  }
  return found;
}

export function countOpenReports(snapshots: Snapshots): number {
  let count = 0;
  for (const partition of snapshots.partitions) for (const _report of partition.range(openReports, [])) count += 1;
  return count;
}
