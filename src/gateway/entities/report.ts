/** The Report entity. */
import { z } from 'zod';
import { reportCategories } from '../../actors/account/reports/reports.records.ts';
import type { ShownReport } from '../../operations/presentation/reports.ts';
import type { Addresses } from '../../services/addresses.ts';
import { AccountEntity, accountEntity } from './account.ts';
import { flag, id, smallId, text, time, timestamp } from './values.ts';

export const ReportEntity = z
  .strictObject({
    id,
    action_taken: flag,
    action_taken_at: time.nullable(),
    category: z.enum(reportCategories),
    comment: text,
    forwarded: flag,
    created_at: time,
    status_ids: z.array(id).nullable(),
    collection_ids: z.array(id).nullable(),
    rule_ids: z.array(smallId).nullable(),
    target_account: AccountEntity,
  })
  .meta({ id: 'Report' });

export function reportEntity(
  { report, target, permission }: ShownReport,
  addresses: Addresses,
): z.output<typeof ReportEntity> {
  const { resolvedAt } = report;
  return {
    id: report.id.toString(),
    action_taken: resolvedAt !== undefined,
    action_taken_at: resolvedAt === undefined ? null : timestamp(resolvedAt),
    category: report.category,
    comment: report.comment,
    forwarded: report.forwarded,
    created_at: timestamp(report.createdAt),
    status_ids: report.statusIds.map(String),
    collection_ids: (report.collectionIds ?? []).map(String),
    rule_ids: [...report.ruleIds],
    target_account: accountEntity(target, addresses, undefined, permission),
  };
}
