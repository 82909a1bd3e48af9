/** A report as staff are notified of it. */
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import type { Report } from '../../actors/account/reports/reports.records.ts';
import { type AccountView, findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';

export interface ShownReport {
  readonly report: Report;
  readonly target: AccountView;
}

/** Undefined for one that there is not, or whose account is gone. */
export function showReport(reader: Reader, reportId: Id): ShownReport | undefined {
  const report = findReport(reader, reportId);
  const target = report && findAccount(reader, report.targetId);
  return report === undefined || target === undefined ? undefined : { report, target };
}
