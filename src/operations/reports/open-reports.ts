/** Lists open reports for staff, and closes one. */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { countOpenReports, findReport, latestOpenReports } from '../../actors/account/reports/reports.queries.ts';
import type { Report } from '../../actors/account/reports/reports.records.ts';
import { Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const reportsListedMax = 100;

export interface OpenReport {
  readonly report: Report;
  /** Undefined for an account that was deleted. */
  readonly reporter: Profile | undefined;
  readonly target: Profile | undefined;
}

interface OpenReports {
  /** Newest first. */
  readonly reports: readonly OpenReport[];
  /** How many more there are. */
  readonly rest: number;
}

export const listOpenReports = operation({
  input: z.object({ limit: z.int().min(1).max(reportsListedMax) }),
  permission: 'manageReports',
  audit: reads,
  run({ services: { snapshots } }, { limit }): OpenReports {
    const profileOf = (accountId: bigint) => findAccount(snapshots, accountId)?.profile;
    const reports = latestOpenReports(snapshots, limit).map(
      (report): OpenReport => ({ report, reporter: profileOf(report.accountId), target: profileOf(report.targetId) }),
    );
    return { reports, rest: countOpenReports(snapshots) - reports.length };
  },
});

export const resolveReport = operation({
  input: z.object({ reportId: z.string() }),
  permission: 'manageReports',
  audit: 'resolveReport',
  /** Throws Failure notFound. */
  async run({ caller, services, audit }, given): Promise<void> {
    const reportId = parseId(given.reportId);
    const report = reportId === undefined ? undefined : findReport(services.snapshots, reportId);
    if (report === undefined) throw new Failure('notFound', { text: `There is no report ${given.reportId}.` });
    const message = Account.resolveReport.to(report.accountId, {
      reportId: report.id,
      resolvedById: caller.accountId,
      audit: { ...audit, reportId: report.id },
    });
    await services.client.call(message, flowOf(caller));
  },
});
