/** What is known of both sides of a report: what was decided about the reported account, and what became of other reports. */
import { z } from 'zod';
import { type StoredWarning, warningsOf } from '../../actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import { reportsPage } from '../../actors/account/reports/reports.queries.ts';
import type { Report } from '../../actors/account/reports/reports.records.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { showReport } from './handle-reports.ts';

/** Open reports, and likewise closed ones, of each side. */
const pastReportsMax = 20;

/** What became of a report: nobody has decided yet, it was closed without a decision, or with a strike. */
export interface PastReport {
  readonly report: Report;
  readonly strike: StoredWarning | undefined;
}

export interface ReportHistory {
  readonly report: Report;
  /** Of the reported account, latest first. */
  readonly strikes: readonly StoredWarning[];
  /** Other reports about it; open ones first, each latest first. */
  readonly about: readonly PastReport[];
  /** Other reports by the reporter, in the same order. */
  readonly by: readonly PastReport[];
}

export const showReportHistory = operation({
  input: z.object({ reportId: z.coerce.bigint() }),
  permission: 'manageReports',
  audit: reads,
  /** Throws Failure notFound. */
  run(context, { reportId }): ReportHistory {
    const { snapshots } = context.services;
    const report = showReport(context, { reportId });
    const strikes = new Map<Id, StoredWarning[]>();
    const strikesOf = (accountId: Id) => {
      const known = strikes.get(accountId) ?? allStrikes(snapshots, accountId);
      strikes.set(accountId, known);
      return known;
    };
    const past = (side: { readonly accountId: Id } | { readonly targetId: Id }): PastReport[] =>
      [false, true]
        .flatMap((isResolved) => reportsPage(snapshots, { isResolved, ...side }, { limit: pastReportsMax + 1 }).items)
        .filter(({ id }) => id !== reportId)
        .map((one) => ({ report: one, strike: strikesOf(one.targetId).find((strike) => isOf(one, strike)) }));
    const { accountId, targetId } = report;
    return { report, strikes: strikesOf(targetId), about: past({ targetId }), by: past({ accountId }) };
  },
});

function allStrikes(snapshots: Snapshots, accountId: Id): StoredWarning[] {
  return warningsOf(snapshots, accountId, { limit: notificationLimits.warningsKeptMax }).items;
}

/** Reports that were closed by earlier versions do not name their strike. */
function isOf({ id, strikeId, resolvedAt }: Report, strike: StoredWarning): boolean {
  return resolvedAt !== undefined && (strike.id === strikeId || strike.reportId === id);
}
