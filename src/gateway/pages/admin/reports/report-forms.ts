/** The forms of a report: POST /web/admin/reports/:id/assign, unassign, resolve, reopen, sort and act. */
import { notificationLimits } from '../../../../actors/account/notifications/limits.ts';
import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import { type Report, reportCategories } from '../../../../actors/account/reports/reports.records.ts';
import { cleanText } from '../../../../actors/text/characters.ts';
import { blank, tooLong } from '../../../../operations/refused-fields.ts';
import {
  assignReport,
  changeReport,
  reopenReport,
  showReport,
  unassignReport,
} from '../../../../operations/reports/handle-reports.ts';
import { resolveReport } from '../../../../operations/reports/open-reports.ts';
import { asFailure, Failure } from '../../../../runtime/errors.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { redirect } from '../../../http/answers.ts';
import type { RawRoute } from '../../../route.ts';
import { problemSentence } from '../../failure-sentence.ts';
import { handleOf } from '../../parts/links.ts';
import { idInPath } from '../../visit.ts';
import { decidedSince, decisionSentence } from '../decided-meanwhile.ts';
import { perform } from '../parts.ts';
import { staffForm } from '../staff-visit.ts';
import type { StaffForm, StaffVisit } from '../visitor.ts';
import { type DecisionDraft, decisions, offeredDecisions } from './decision-form.ts';
import { reportAnswer, seenOf } from './report-page.ts';
import { reportsPath } from './reports-page.ts';

/** What happened to the report since the page of a form was made; undefined where nothing did. */
function newsOf({ words: { staff }, services }: StaffVisit, report: Report, seen: string): string | undefined {
  const now = seenOf(report);
  if (seen === now) return undefined;
  const { newer } = staff.reports;
  const nameOf = (accountId: bigint | undefined) => {
    const profile = accountId === undefined ? undefined : findProfile(services.snapshots, accountId);
    return profile === undefined ? staff.commandLine : `@${handleOf(profile)}`;
  };
  const [state] = seen.split(' ');
  if (report.resolvedAt !== undefined && String(report.resolvedAt) !== state)
    return newer.closed({ name: nameOf(report.resolvedById) });
  if (report.resolvedAt === undefined && state !== 'open') return newer.opened;
  return report.assignedToId === undefined ? newer.left : newer.taken({ name: nameOf(report.assignedToId) });
}

type Run = (form: StaffForm, report: Report) => Promise<unknown>;

/** A button of the page. Whoever comes second is told what the first one has decided, and changes nothing. */
function changing(verb: string, done: string, run: Run): RawRoute<GatewayServices> {
  return staffForm(`/web/admin/reports/:id/${verb}`, 'manageReports', async (form, context) => {
    const report = showReport(form.visit, { reportId: idInPath(context) });
    const refusal = newsOf(form.visit, report, form.fields.get('seen') ?? seenOf(report));
    if (refusal !== undefined) return reportAnswer(form.visit, report, { refusal });
    try {
      await run(form, report);
    } catch (error) {
      const decision = decidedSince(form.visit, asFailure(error), undefined);
      if (decision === undefined) throw error;
      const now = showReport(form.visit, { reportId: report.id });
      return reportAnswer(form.visit, now, { refusal: decisionSentence(form.visit, decision) });
    }
    return redirect(`${reportsPath}/${report.id}?done=${done}`, 303);
  });
}

const sort: Run = (form, { id: reportId }) => {
  const category = reportCategories.find((one) => one === form.fields.get('category'));
  if (category === undefined) throw new Failure('badRequest');
  return perform(form, changeReport, { reportId, category, ruleIds: form.fields.all('rule') });
};

const actForm = staffForm('/web/admin/reports/:id/act', 'manageReports', async (form, context) => {
  const { visit, fields, services } = form;
  const report = showReport(visit, { reportId: idInPath(context) });
  const target = findProfile(services.snapshots, report.targetId);
  if (target === undefined) throw new Failure('notFound');
  const words = visit.words.staff.reports;
  const action = offeredDecisions(visit, report, target).find((one) => one === fields.get('action'));
  const text = fields.get('text') ?? '';
  const draft: DecisionDraft = { action, text, tells: fields.get('tells') !== undefined };
  const problem = problemOfText(visit, draft);
  if (problem !== undefined)
    return reportAnswer(visit, report, { draft: { ...draft, problem }, refusal: visit.words.problems.checkFields });
  if (action === undefined) return reportAnswer(visit, report, { draft, refusal: words.nothingChosen });
  const told = { account: report.targetId, reportId: report.id, text, tells: draft.tells };
  try {
    await decisions[action].decide(visit, told);
  } catch (error) {
    const failure = asFailure(error);
    const decision = decidedSince(visit, failure, undefined);
    if (failure.code !== 'validation' && decision === undefined) throw error;
    const now = showReport(visit, { reportId: report.id });
    const said = decision === undefined ? visit.words.staff.notDone : decisionSentence(visit, decision);
    const refusal = newsOf(visit, now, seenOf({ ...report, resolvedAt: undefined })) ?? said;
    return reportAnswer(visit, now, { draft, refusal });
  }
  return redirect(`${reportsPath}/${report.id}?done=${action === 'none' ? 'warned' : 'acted'}`, 303);
});

function problemOfText({ words }: StaffVisit, { action, text }: DecisionDraft): string | undefined {
  const limit = notificationLimits.warningCharactersMax;
  const clean = cleanText(text);
  if (clean.length > limit) return problemSentence(words, [tooLong(limit)]);
  return action === 'none' && clean === '' ? problemSentence(words, [blank]) : undefined;
}

export const reportForms: readonly RawRoute<GatewayServices>[] = [
  changing('assign', 'assigned', (form, { id: reportId }) => assignReport(form.visit, { reportId })),
  changing('unassign', 'unassigned', (form, { id: reportId }) => unassignReport(form.visit, { reportId })),
  changing('resolve', 'resolved', (form, { id }) => resolveReport(form.visit, { reportId: id.toString() })),
  changing('reopen', 'reopened', (form, { id: reportId }) => reopenReport(form.visit, { reportId })),
  changing('sort', 'sorted', sort),
  actForm,
];
