/** Reads reports for their authors and for staff. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { mergeIds } from '../../merge.ts';
import { type Page, type PageBounds, rangeOf, readsUpwards, takePage } from '../../pages.ts';
import type { Report } from './reports.records.ts';
import { openReports, reports, reportsByAccount, resolvedReports } from './reports.state.ts';

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
  readonly isResolved: boolean;
  readonly accountId?: Id | undefined;
  readonly targetId?: Id | undefined;
}

/** Of the whole server, newest first. */
export function reportsPage(snapshots: Snapshots, filter: ReportFilter, bounds: PageBounds): Page<Report> {
  const list = filter.isResolved ? resolvedReports : openReports;
  const { accountId, targetId } = filter;
  const range = rangeOf(bounds);
  const unwanted = new Set<Id>();
  const sources = snapshots.partitions.map(function* (partition) {
    for (const { key, value } of partition.range(list, [], range)) {
      const isWanted =
        (accountId === undefined || value.accountId === accountId) &&
        (targetId === undefined || value.targetId === targetId);
      if (!isWanted) unwanted.add(key[0]);
      yield key[0];
    }
  });
  return takePage(
    mergeIds(sources, readsUpwards(bounds) ? 'oldest first' : 'newest first'),
    bounds,
    (reportId) => reportId,
    (reportId) => (unwanted.has(reportId) ? undefined : findReport(snapshots, reportId)),
  );
}

/** Oldest first in each partition. */
export function openReportsAbout(snapshots: Snapshots, targetId: Id, limit: number): Report[] {
  const found: Report[] = [];
  for (const partition of snapshots.partitions)
    for (const { key, value } of partition.range(openReports, [])) {
      const report = value.targetId === targetId ? findReport(snapshots, key[0]) : undefined;
      if (report !== undefined) found.push(report);
      if (found.length === limit) return found;
    }
  return found;
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
