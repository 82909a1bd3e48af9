/** /admin/appeals: what accounts say against decisions about them. POST /web/admin/appeals/:id/approve and reject. */
import type { AppealedStrike } from '../../../actors/account/moderation/appeals.queries.ts';
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import { type AppealState, appealStateNames, stateOfAppeal } from '../../../actors/policy/appeals.ts';
import { approveAppeal, listAppeals, rejectAppeal, showAppeal } from '../../../operations/administration/appeals.ts';
import { asFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { alert, queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { webLimits } from '../limits.ts';
import { pageRoute } from '../page-handler.ts';
import { byline } from '../parts/account.ts';
import { tabs } from '../parts/tabs.ts';
import { fullTime, timeAgo } from '../parts/time.ts';
import { idInPath, olderThanOf } from '../visit.ts';
import { actButton, askingButton, deciderOf, listOf, olderLink, standingOf } from './parts.ts';
import { reportsPath } from './reports/reports-page.ts';
import { mayDo, sections } from './sections.ts';
import { doneOf, staffAnswer } from './staff-frame.ts';
import { staffForm, staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

const address = '/admin/appeals';

interface State {
  readonly state: AppealState;
  readonly maxId?: Id | undefined;
  readonly done?: string | undefined;
  readonly refusal?: string;
}

const appealsPage = staffPage('manageAppeals', (visit, { request }) => {
  const given = queryFields(request.query).get('state');
  const state = appealStateNames.find((one) => one === given) ?? 'pending';
  return appealsAnswer(visit, { state, maxId: olderThanOf(request), done: doneOf(visit, request) });
});

function appealsAnswer(visit: StaffVisit, { state, maxId, done, refusal }: State): Answer {
  const words = visit.words.staff.appeals;
  const page = listAppeals(visit, { state, maxId, limit: webLimits.pageStatuses });
  const links = appealStateNames.map((one) => ({
    words: words.states[one],
    path: one === 'pending' ? address : `${address}?state=${one}`,
    isCurrent: one === state,
  }));
  const rows = page.items.map((appealed) => appealRow(visit, appealed));
  const main = html`${alert(refusal)}
${tabs(words.title, links)}
${listOf(visit, words.title, rows, words.none)}
${olderLink(visit, page, `state=${state}&`)}`;
  return staffAnswer(visit, {
    ...{ section: 'appeals', title: words.title, main, done },
    isRefused: refusal !== undefined,
  });
}

function appealRow(visit: StaffVisit, { accountId, strike, appeal }: AppealedStrike): Html {
  const words = visit.words.staff.appeals;
  const profile = findProfile(visit.services.snapshots, accountId);
  const path = `/web/admin/appeals/${appeal.appealId}`;
  const isPending = stateOfAppeal(appeal) === 'pending';
  const decision = visit.words.staff.reports.actions[strike.action];
  return html`${profile !== undefined && html`<div class="line row">${byline(visit, profile)}<span class="what"></span>${standingOf(visit, profile)}</div>`}
<p>${words.against({ decision: html`<strong>${decision}</strong>`, name: deciderOf(visit, strike.byId), time: timeAgo(visit, strike.createdAt) })}${strike.reportId !== undefined && mayDo(visit, sections.reports.permission) && html` · <a href="${reportsPath}/${strike.reportId}">${words.report}</a>`}</p>
${strike.text !== '' && html`<p class="fine plain-text" dir="auto">${strike.text}</p>`}
<p class="quoted plain-text" dir="auto">${appeal.text}</p>
${
  isPending
    ? html`<div class="line row">${askingButton(`${path}/approve`, words.approveMore, words.approveHint, words.approve)}${actButton(`${path}/reject`, words.reject)}</div>`
    : appeal.decidedAt !== undefined &&
      html`<p class="fine">${words.decided({ name: deciderOf(visit, appeal.decidedById), time: fullTime(visit, appeal.decidedAt) })}</p>`
}`;
}

/** Whoever decides second is told what the first one decided. */
function deciding(verb: 'approve' | 'reject', decide: typeof approveAppeal): RawRoute<GatewayServices> {
  return staffForm(`/web/admin/appeals/:id/${verb}`, 'manageAppeals', async ({ visit }, context) => {
    const appealId = idInPath(context);
    try {
      await decide(visit, { appealId });
    } catch (error) {
      if (asFailure(error).code !== 'validation') throw error;
      return appealsAnswer(visit, { state: 'pending', refusal: newsOf(visit, appealId) });
    }
    return redirect(`${address}?done=${verb === 'approve' ? 'appealApproved' : 'appealRejected'}`, 303);
  });
}

function newsOf(visit: StaffVisit, appealId: Id): string {
  const { staff } = visit.words;
  const { appeal } = showAppeal(visit, { appealId });
  if (appeal.decidedAt === undefined) return staff.notDone;
  const by = appeal.decidedById === undefined ? undefined : findProfile(visit.services.snapshots, appeal.decidedById);
  const name = by === undefined ? staff.commandLine : `@${by.username}`;
  return appeal.isApproved === true ? staff.appeals.approvedAlready({ name }) : staff.appeals.rejectedAlready({ name });
}

export const appealRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(address, appealsPage),
  deciding('approve', approveAppeal),
  deciding('reject', rejectAppeal),
];
