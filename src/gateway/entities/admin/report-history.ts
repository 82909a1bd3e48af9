/** The Admin::ReportHistory entity, our own: what is known of both sides of a report. */
import { z } from 'zod';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { reportCategories } from '../../../actors/account/reports/reports.records.ts';
import type { PastReport, ReportHistory } from '../../../operations/reports/report-history.ts';
import type { Services } from '../../../services/services.ts';
import { accountEntity } from '../account.ts';
import { StrikeEntity, strikeEntity } from '../account-warning.ts';
import { id, text, time, timestamp } from '../values.ts';

/** `open`, or how it was closed. */
const outcomes = ['open', 'closed_without_decision', 'closed_with_strike'] as const;

const PastReportEntity = z
  .strictObject({
    id,
    account_id: id,
    target_account_id: id,
    category: z.enum(reportCategories),
    comment: text,
    created_at: time,
    outcome: z.enum(outcomes),
    closed_at: time.nullable(),
    /** Null without one. */
    strike_id: id.nullable(),
    strike_action: text.nullable(),
  })
  .meta({ id: 'Admin.PastReport' });

export const AdminReportHistoryEntity = z
  .strictObject({
    target_account: z.strictObject({ id, strikes: z.array(StrikeEntity), reports: z.array(PastReportEntity) }),
    account: z.strictObject({ id, reports: z.array(PastReportEntity) }),
  })
  .meta({ id: 'Admin.ReportHistory' });

export function adminReportHistoryEntity(
  { report, strikes, about, by }: ReportHistory,
  { snapshots, addresses }: Pick<Services, 'snapshots' | 'addresses'>,
): z.output<typeof AdminReportHistoryEntity> {
  const target = findAccount(snapshots, report.targetId);
  const shown =
    target === undefined ? [] : strikes.map((strike) => strikeEntity(strike, accountEntity(target, addresses)));
  return {
    target_account: { id: report.targetId.toString(), strikes: shown, reports: about.map(pastReportEntity) },
    account: { id: report.accountId.toString(), reports: by.map(pastReportEntity) },
  };
}

function pastReportEntity({ report, strike }: PastReport): z.output<typeof PastReportEntity> {
  const { resolvedAt } = report;
  return {
    id: report.id.toString(),
    account_id: report.accountId.toString(),
    target_account_id: report.targetId.toString(),
    category: report.category,
    comment: report.comment,
    created_at: timestamp(report.createdAt),
    outcome:
      resolvedAt === undefined ? 'open' : strike === undefined ? 'closed_without_decision' : 'closed_with_strike',
    closed_at: resolvedAt === undefined ? null : timestamp(resolvedAt),
    strike_id: strike?.id.toString() ?? null,
    strike_action: strike?.action ?? null,
  };
}
