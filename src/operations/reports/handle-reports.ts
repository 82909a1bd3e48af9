/** Reports as staff handle them: listed, looked after by one of them, sorted, closed and opened again. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { findReport, reportsPage } from '../../actors/account/reports/reports.queries.ts';
import { type Report, type ReportChange, reportCategories } from '../../actors/account/reports/reports.records.ts';
import type { Page } from '../../actors/pages.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { pageInput } from '../administration/domain-blocks.ts';
import { accountName, namedAccount } from '../administration/local-account.ts';
import { type Audited, reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { settingsOf } from '../instance/settings.ts';
import { type OperationContext, operation } from '../operation.ts';
import { demandPermission } from '../permissions.ts';
import { refuseFields } from '../refused-fields.ts';
import { noSuchRules } from './report-account.ts';

const reportStates = ['open', 'closed', 'all'] as const;

/** Latest first. */
export const listReports = operation({
  input: pageInput.extend({
    /** Open ones by default. */
    state: z.enum(reportStates).optional(),
    /** Who reported. */
    accountId: identifier.optional(),
    targetId: identifier.optional(),
  }),
  permission: 'manageReports',
  audit: reads,
  run({ services }, { state = 'open', accountId, targetId, ...bounds }): Page<Report> {
    const isResolved = state === 'all' ? undefined : state === 'closed';
    return reportsPage(services.snapshots, { isResolved, accountId, targetId }, bounds);
  },
});

const one = z.object({ reportId: z.coerce.bigint() });

export const showReport = operation({
  input: one,
  permission: 'manageReports',
  audit: reads,
  run: ({ services }, { reportId }): Report => reportOf(services, reportId),
});

/** Rules that are given make it a violation of them. */
export const changeReport = operation({
  input: one.extend({ category: z.enum(reportCategories).optional(), ruleIds: z.array(z.string()).optional() }),
  permission: 'manageReports',
  audit: 'changeReport',
  run(context, { reportId, category, ruleIds }): Promise<Report> {
    const { rules } = settingsOf(context.services);
    const isKnown = ruleIds?.every((ruleId) => rules.some(({ id }) => id === ruleId)) ?? true;
    refuseFields({ ruleIds: isKnown ? [] : [noSuchRules] });
    return change(context, reportId, { category, ruleIds: ruleIds && [...new Set(ruleIds)] });
  },
});

/** To whoever calls, unless somebody else among the staff is named. */
export const assignReport = operation({
  input: one.extend({ assignee: accountName.optional() }),
  permission: 'manageReports',
  audit: 'assignReport',
  run(context, { reportId, assignee }): Promise<Report> {
    const { caller, services } = context;
    const assignedToId =
      typeof assignee === 'string' ? namedAccount(services, assignee).id : (assignee ?? caller.accountId);
    if (assignedToId === undefined) throw new Failure('validation', { text: 'Assignee is missing' });
    demandPermission('manageReports', { ...caller, kind: 'account', accountId: assignedToId }, services);
    return change(context, reportId, { assignedToId });
  },
});

export const unassignReport = operation({
  input: one,
  permission: 'manageReports',
  audit: 'unassignReport',
  run: (context, { reportId }): Promise<Report> => change(context, reportId, { assignedToId: null }),
});

export const reopenReport = operation({
  input: one,
  permission: 'manageReports',
  audit: 'reopenReport',
  run: (context, { reportId }): Promise<Report> => change(context, reportId, { isOpenAgain: true }),
});

/** The report afterwards. Throws Failure notFound. */
async function change(
  { caller, services, audit }: OperationContext & Audited,
  reportId: Id,
  wanted: z.input<typeof ReportChange>,
): Promise<Report> {
  const { accountId } = reportOf(services, reportId);
  const message = Account.changeReport.to(accountId, { reportId, change: wanted, audit: { ...audit, reportId } });
  await services.client.call(message, flowOf(caller));
  return reportOf(services, reportId);
}

function reportOf({ snapshots }: Pick<Services, 'snapshots'>, reportId: Id): Report {
  const report = findReport(snapshots, reportId);
  if (report === undefined) throw new Failure('notFound');
  return report;
}
