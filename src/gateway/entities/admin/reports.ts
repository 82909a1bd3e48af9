/** The Admin::Report entity: a report with both sides, what was reported, and who looks after it. */

import { z } from 'zod';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { type Report, reportCategories } from '../../../actors/account/reports/reports.records.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { rulesEntity } from '../instance.ts';
import { RuleEntity } from '../instance-schema.ts';
import { UserStatusEntity } from '../status-schema.ts';
import { flag, id, text, time, timestamp } from '../values.ts';
import { AdminAccountEntity, adminAccountEntities } from './accounts.ts';

export const AdminReportEntity = z
  .strictObject({
    id,
    action_taken: flag,
    action_taken_at: time.nullable(),
    category: z.enum(reportCategories),
    comment: text,
    forwarded: flag,
    created_at: time,
    updated_at: time,
    account: AdminAccountEntity,
    target_account: AdminAccountEntity,
    assigned_account: AdminAccountEntity.nullable(),
    action_taken_by_account: AdminAccountEntity.nullable(),
    /** Those that are still there, as the viewer would see them: whatever their visibility. */
    statuses: z.array(UserStatusEntity),
    rules: z.array(RuleEntity),
    /** Not part of the Mastodon API. */
    collection_ids: z.array(id),
  })
  .meta({ id: 'Admin.Report' });
export type AdminReportEntity = z.output<typeof AdminReportEntity>;

export type ReportServices = Pick<GatewayServices, 'snapshots' | 'addresses' | 'options' | 'presenter'> & {
  readonly answers: Pick<GatewayServices['answers'], 'status'>;
};

/** Undefined where one side of the report is gone. */
export function adminReportEntity(report: Report, services: ReportServices, viewerId: Id | undefined) {
  return adminReportEntities(services, viewerId)(report);
}

/** For the reports of one answer: whoever decided many of them is read once. */
export function adminReportEntities(
  services: ReportServices,
  viewerId: Id | undefined,
): (report: Report) => AdminReportEntity | undefined {
  const entityOf = adminAccountEntities(services);
  const known = new Map<Id, AdminAccountEntity | null>();
  const accountOf = (accountId: Id | undefined) => {
    if (accountId === undefined) return null;
    const before = known.get(accountId);
    if (before !== undefined) return before;
    const view = findAccount(services.snapshots, accountId);
    const entity = view === undefined ? null : entityOf(view);
    known.set(accountId, entity);
    return entity;
  };
  const { rules } = settingsOf(services);
  return (report) => {
    const account = accountOf(report.accountId);
    const target = accountOf(report.targetId);
    if (account === null || target === null) return undefined;
    return {
      id: report.id.toString(),
      action_taken: report.resolvedAt !== undefined,
      action_taken_at: report.resolvedAt === undefined ? null : timestamp(report.resolvedAt),
      category: report.category,
      comment: report.comment,
      forwarded: report.forwarded,
      created_at: timestamp(report.createdAt),
      updated_at: timestamp(report.updatedAt ?? report.createdAt),
      account,
      target_account: target,
      assigned_account: accountOf(report.assignedToId),
      action_taken_by_account: accountOf(report.resolvedById),
      statuses: report.statusIds.flatMap((statusId) => statusOf(statusId, services, viewerId) ?? []),
      rules: rulesEntity(rules.filter(({ id: ruleId }) => report.ruleIds.includes(ruleId))),
      collection_ids: (report.collectionIds ?? []).map(String),
    };
  };
}

function statusOf(statusId: Id, { presenter, answers }: ReportServices, viewerId: Id | undefined) {
  const shown = presenter.one(statusId, viewerId, 'report');
  return shown && (JSON.parse(answers.status(shown).toString()) as z.output<typeof UserStatusEntity>);
}
