/** The endpoints of reports, for those among the staff who handle them. */
import { z } from 'zod';
import { type Report, reportCategories } from '../../../actors/account/reports/reports.records.ts';
import { deleteReportedStatuses, markReportedSensitive } from '../../../operations/reports/act-on-statuses.ts';
import {
  assignReport,
  changeReport,
  listReports,
  reopenReport,
  showReport,
  unassignReport,
} from '../../../operations/reports/handle-reports.ts';
import { resolveReport } from '../../../operations/reports/open-reports.ts';
import { Failure } from '../../../runtime/errors.ts';
import { AdminReportEntity, adminReportEntities, adminReportEntity } from '../../entities/admin/reports.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, choice, chosenId, id, required, text, wordList } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/v1/admin/reports';
const parameters = z.object({ id });
const reading = { scopes: ['admin:read:reports'] };
const writing = { scopes: ['admin:write:reports'], answer: AdminReportEntity };

type Context = UserContext<GatewayServices>;

/** Throws Failure notFound where one side of it is gone. */
function answerOf({ services, grant }: Context, report: Report): Answer {
  const entity = adminReportEntity(report, services, grant.accountId);
  if (entity === undefined) throw new Failure('notFound');
  return json(entity);
}

const getReports = staffEndpoint(listReports, {
  ...reading,
  method: 'GET',
  path,
  parameters: z.object({
    ...staffPageParameters,
    resolved: boolean,
    /** With `resolved`: both. */
    unresolved: boolean,
    account_id: chosenId,
    target_account_id: chosenId,
  }),
  summary: 'Lists reports, latest first: open ones, those that were resolved, or both.',
  answer: z.array(AdminReportEntity),
  handler(context, given) {
    const { services, grant, request } = context;
    const entityOf = adminReportEntities(services, grant.accountId);
    const state = given.resolved !== true ? 'open' : given.unresolved === true ? 'all' : 'closed';
    const filter = { state, accountId: given.account_id, targetId: given.target_account_id } as const;
    return answerFilledPage(
      boundsOf(given),
      (bounds) => {
        const page = listReports(context, { ...filter, ...bounds });
        const items = page.items.flatMap((report) => entityOf(report) ?? []);
        return { ...page, items };
      },
      (page) => staffPageAnswer(request, page, given.limit, (entity) => entity),
    );
  },
});

const getReport = staffEndpoint(showReport, {
  ...reading,
  method: 'GET',
  path: `${path}/:id`,
  parameters,
  summary: 'Shows a report with both sides and what was reported.',
  answer: AdminReportEntity,
  handler: (context, { id: reportId }) => answerOf(context, showReport(context, { reportId })),
});

const putReport = staffEndpoint(changeReport, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: `${path}/:id`,
  parameters: z.object({ id, category: choice(reportCategories), rule_ids: wordList }),
  summary: 'Changes the category or the broken rules of a report.',
  async handler(context, { id: reportId, category, rule_ids: given }) {
    const ruleIds = given?.filter((ruleId) => ruleId !== undefined);
    return answerOf(context, await changeReport(context, { reportId, category, ruleIds }));
  },
});

const assignToSelf = staffEndpoint(assignReport, {
  ...writing,
  method: 'POST',
  path: `${path}/:id/assign_to_self`,
  parameters,
  summary: 'Makes the user look after a report.',
  handler: async (context, { id: reportId }) => answerOf(context, await assignReport(context, { reportId })),
});

const unassign = staffEndpoint(unassignReport, {
  ...writing,
  method: 'POST',
  path: `${path}/:id/unassign`,
  parameters,
  summary: 'Makes nobody look after a report.',
  handler: async (context, { id: reportId }) => answerOf(context, await unassignReport(context, { reportId })),
});

const resolve = staffEndpoint(resolveReport, {
  ...writing,
  method: 'POST',
  path: `${path}/:id/resolve`,
  parameters,
  summary: 'Closes a report.',
  async handler(context, { id: reportId }) {
    await resolveReport(context, { reportId: String(reportId) });
    return answerOf(context, showReport(context, { reportId }));
  },
});

const reopen = staffEndpoint(reopenReport, {
  ...writing,
  method: 'POST',
  path: `${path}/:id/reopen`,
  parameters,
  summary: 'Opens a closed report again.',
  handler: async (context, { id: reportId }) => answerOf(context, await reopenReport(context, { reportId })),
});

const acts = { delete_statuses: deleteReportedStatuses, mark_statuses_as_sensitive: markReportedSensitive } as const;
const actTypes = ['delete_statuses', 'mark_statuses_as_sensitive'] as const satisfies (keyof typeof acts)[];

/** Mastodon has this on its pages only. */
const act = staffEndpoint(deleteReportedStatuses, {
  ...writing,
  method: 'POST',
  path: `${path}/:id/action`,
  parameters: z.object({
    id,
    type: required(choice(actTypes)),
    text,
    send_email_notification: boolean,
    warning_preset_id: chosenId,
  }),
  summary: 'Deletes the posts of a report, or marks them as sensitive, with a strike that their author sees.',
  async handler(context, { id: reportId, type, text: told, send_email_notification: tells, ...given }) {
    await acts[type](context, { reportId, text: told, tells, presetId: given.warning_preset_id });
    return answerOf(context, showReport(context, { reportId }));
  },
});

export const adminReportEndpoints = [getReports, getReport, putReport, assignToSelf, unassign, resolve, reopen, act];
