/** /admin/reports/:id: one report with everything that is needed to decide about it. */
import type { Profile } from '../../../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import { reportsPage as readReports } from '../../../../actors/account/reports/reports.queries.ts';
import { type Report, reportCategories } from '../../../../actors/account/reports/reports.records.ts';
import { showReport } from '../../../../operations/reports/handle-reports.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { Answer } from '../../../http/answers.ts';
import { alert, hidden } from '../../../oauth/forms.ts';
import { byline, plainName } from '../../parts/account.ts';
import { handleOf, statusPath } from '../../parts/links.ts';
import { inLanguage, rulesFor } from '../../parts/rules.ts';
import { contentOf, visibilityMark } from '../../parts/status.ts';
import { fullDay, fullTime, timeAgo } from '../../parts/time.ts';
import { idInPath } from '../../visit.ts';
import { notesCard } from '../notes-card.ts';
import { accountLink, deciderOf, formHead, standingOf } from '../parts.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { type DecisionDraft, decisionForm } from './decision-form.ts';
import { historyCards } from './history-cards.ts';
import { keyed, keysHelp } from './report-keys.ts';
import { reportsPath } from './reports-page.ts';

export interface ReportState {
  readonly done?: string | undefined;
  /** What was refused, and why, as a sentence. */
  readonly draft?: DecisionDraft;
  readonly refusal?: string;
}

export const reportPage = staffPage('manageReports', (visit, context) => {
  const report = showReport(visit, { reportId: idInPath(context) });
  return reportAnswer(visit, report, { done: doneOf(visit, context.request) });
});

export function reportAnswer(visit: StaffVisit, report: Report, state: ReportState): Answer {
  const words = visit.words.staff.reports;
  const { snapshots } = visit.services;
  const target = findProfile(snapshots, report.targetId);
  const isOpen = report.resolvedAt === undefined;
  const name = target === undefined ? visit.words.staff.somebodyGone : `@${handleOf(target)}`;
  const main = html`${alert(state.refusal)}
<section class="card plain report" aria-label="${words.number({ number: String(report.id) })}">
<p class="line row"><span class="badge">${words.categories[report.category]}</span> ${stateOf(visit, report)}</p>
<p>${report.assignedToId === undefined ? words.lookedAfterByNobody : words.lookedAfter({ name: deciderOf(visit, report.assignedToId) })}</p>
${buttons(visit, report)}
</section>
${target !== undefined && accountCard(visit, target, words.target)}
${commentCard(visit, report)}
${postsCard(visit, report)}
${historyCards(visit, report)}
${isOpen && target !== undefined && decisionForm(visit, report, target, state.draft)}
${notesCard(visit, { kind: 'report', about: report.id, returnTo: `${reportsPath}/${report.id}` })}
${target !== undefined && notesCard(visit, { kind: 'account', about: target.id, returnTo: `${reportsPath}/${report.id}` })}
${sortingForm(visit, report)}
${keysHelp(visit, ['assign', 'resolve', 'decide', 'older', 'list'])}`;
  const title = words.one({ account: name });
  return staffAnswer(visit, {
    ...{ section: 'reports', title, back: { path: reportsPath, words: words.title }, main, done: state.done },
    isRefused: state.refusal !== undefined,
  });
}

function stateOf(visit: StaffVisit, { createdAt, resolvedAt, resolvedById }: Report): Html {
  const words = visit.words.staff.reports;
  if (resolvedAt === undefined) return html`<span>${words.isOpen({ time: fullTime(visit, createdAt) })}</span>`;
  return html`<span>${words.closedBy({ name: deciderOf(visit, resolvedById), time: fullTime(visit, resolvedAt) })}</span>`;
}

/** Which state of a report a form was made for: another one is told, instead of overwritten. */
export function seenOf({ resolvedAt, assignedToId }: Report): string {
  return `${resolvedAt ?? 'open'} ${assignedToId ?? ''}`;
}

/** Each in a form of its own: with what its page has shown. */
function buttons(visit: StaffVisit, report: Report): Html {
  const words = visit.words.staff.reports;
  const isMine = report.assignedToId === visit.account.id;
  const button = (verb: string, label: string, key: 'assign' | 'resolve') =>
    html`<form method="post" action="/web/admin/reports/${report.id}/${verb}">${formHead(visit)}${hidden('seen', seenOf(report))}<button class="quiet"${keyed(key)}>${label}</button></form>`;
  const isOpen = report.resolvedAt === undefined;
  const older = isOpen ? olderOpen(visit, report) : undefined;
  return html`<div class="line buttons">${isMine ? button('unassign', words.unassign, 'assign') : button('assign', words.assign, 'assign')}
${isOpen ? button('resolve', words.resolve, 'resolve') : button('reopen', words.reopen, 'resolve')}
<a class="button quiet" href="${reportsPath}"${keyed('list')}>${words.toList}</a>
${older !== undefined && html`<a class="button quiet" href="${reportsPath}/${older.id}"${keyed('older')}>${words.next}</a>`}</div>`;
}

function olderOpen({ services }: StaffVisit, { id }: Report): Report | undefined {
  return readReports(services.snapshots, { isResolved: false }, { maxId: id, limit: 1 }).items[0];
}

function accountCard(visit: StaffVisit, profile: Profile, title: string): Html {
  const words = visit.words.staff.reports;
  const day = fullDay(visit, profile.createdAt);
  return html`<section class="card plain"><h2>${title}</h2>
${byline(visit, profile)}
<p>${standingOf(visit, profile)}</p>
<p class="fine">${profile.remote === undefined ? words.joined({ time: day }) : words.known({ time: day })}</p></section>`;
}

function commentCard(visit: StaffVisit, report: Report): Html {
  const words = visit.words.staff.reports;
  const by = findProfile(visit.services.snapshots, report.accountId);
  const rules = rulesFor(visit.settings.rules, visit.language).filter(({ id }) => report.ruleIds.includes(id));
  return html`<section class="card plain"><h2>${words.comment}</h2>
${report.comment === '' ? html`<p class="fine">${words.noComment}</p>` : html`<p class="plain-text" dir="auto">${report.comment}</p>`}
${rules.length > 0 && html`<h3>${words.broken}</h3><ul>${rules.map(({ text, language }) => html`<li dir="auto"${inLanguage(language)}>${text}</li>`)}</ul>`}
<p>${words.by({ name: accountLink(visit, by) })}${by?.remote !== undefined && html` <span class="fine">${words.ofServer}</span>`}</p>
<p class="fine">${report.forwarded ? words.isForwarded : words.isNotForwarded}</p></section>`;
}

/** Whatever their visibility. */
function postsCard(visit: StaffVisit, { statusIds, collectionIds = [] }: Report): Html {
  const { presenter } = visit.services;
  const words = visit.words.staff.reports;
  const found = statusIds.flatMap((id) => presenter.view(id, visit.account.id, 'report') ?? []);
  const gone = statusIds.length - found.length;
  const posts = found.map(
    (
      view,
    ) => html`<li class="entry" id="status-${view.status.id}"><article class="status" aria-label="${visit.words.posts.by({ name: plainName(view.author.profile) })}">
<p class="when fine">${visibilityMark(visit, view.status)} <a href="${statusPath(visit, view)}">${timeAgo(visit, view.status.createdAt)}</a></p>
${contentOf(visit, view, view.status.id)}</article></li>`,
  );
  return html`<section aria-label="${words.reportedPosts}"><h2 class="list">${words.reportedPosts}</h2>
${posts.length > 0 && html`<ol class="timeline" aria-label="${words.reportedPosts}">${posts}</ol>`}
${statusIds.length === 0 && html`<p class="list fine">${words.noPosts}</p>`}
${gone > 0 && html`<p class="list fine">${words.gonePosts({ count: gone })}</p>`}
${collectionIds.length > 0 && html`<h3 class="list">${words.collections}</h3><ul>${collectionIds.map((id, index) => html`<li><a href="/collections/${id}">${words.collection({ number: index + 1 })}</a></li>`)}</ul>`}</section>`;
}

function sortingForm(visit: StaffVisit, report: Report): Html {
  const words = visit.words.staff.reports;
  const categories = reportCategories.map(
    (one) =>
      html`<option value="${one}"${one === report.category && html` selected`}>${words.categories[one]}</option>`,
  );
  const rules = rulesFor(visit.settings.rules, visit.language).map(
    ({ id, text, language }) =>
      html`<label class="choice"><input type="checkbox" name="rule" value="${id}"${report.ruleIds.includes(id) && html` checked`}> <span dir="auto"${inLanguage(language)}>${text}</span></label>`,
  );
  return html`<details class="card plain settings"><summary>${words.sort}</summary>
<form method="post" action="/web/admin/reports/${report.id}/sort">${formHead(visit)}
<div class="field"><label>${words.category} <select name="category">${categories}</select></label></div>
${rules.length > 0 && html`<fieldset class="field"><legend>${words.rules}</legend>${rules}</fieldset>`}
<button type="submit" class="quiet">${words.sortButton}</button></form></details>`;
}
