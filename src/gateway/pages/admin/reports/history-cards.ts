/** What is known of both sides of a report: earlier decisions, and what became of other reports. */
import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import type { Report } from '../../../../actors/account/reports/reports.records.ts';
import { type PastReport, showReportHistory } from '../../../../operations/reports/report-history.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { handleOf } from '../../parts/links.ts';
import { timeAgo } from '../../parts/time.ts';
import { deciderOf } from '../parts.ts';
import type { StaffVisit } from '../visitor.ts';
import { reportRow, reportsPath } from './reports-page.ts';

/** Of the reports of each side. */
const shownMax = 5;

export function historyCards(visit: StaffVisit, report: Report): Html {
  const { strikes, about, by } = showReportHistory(visit, { reportId: report.id });
  const words = visit.words.staff.reports;
  const { history } = visit.words.moderation;
  const reporter = findProfile(visit.services.snapshots, report.accountId);
  const account = reporter === undefined ? visit.words.staff.somebodyGone : `@${handleOf(reporter)}`;
  return html`<section class="card plain"><h2>${words.strikes}</h2>
${strikes.length === 0 && html`<p class="fine">${words.noStrikes}</p>`}
${
  strikes.length > 0 &&
  html`<ul class="rows">${strikes.map(
    ({ action, text, createdAt, byId }) =>
      html`<li><p><strong>${words.actions[action]}</strong> ${words.strikeBy({ name: deciderOf(visit, byId) })} <span class="fine">${timeAgo(visit, createdAt)}</span>
${text !== '' && html`<span class="plain-text said" dir="auto">${text}</span>`}</p></li>`,
  )}</ul>`
}
<h2>${words.others}</h2>
${pastReports(visit, about, words.noOthers)}
${about.length > 0 && html`<p><a href="${reportsPath}?about=${report.targetId}">${words.all}</a></p>`}
<h2>${history.ofReporter({ account })}</h2>
${pastReports(visit, by, history.noneOfReporter)}</section>`;
}

function pastReports(visit: StaffVisit, reports: readonly PastReport[], none: string): Html {
  if (reports.length === 0) return html`<p class="fine">${none}</p>`;
  const { history } = visit.words.moderation;
  const { formats } = visit.words;
  const open = reports.filter(({ report }) => report.resolvedAt === undefined).length;
  const struck = reports.filter(({ strike }) => strike !== undefined).length;
  const counts = { struck, dismissed: reports.length - open - struck, open };
  const shown = reports.slice(0, shownMax);
  return html`<p class="fine">${history.outcomes({
    struck: formats.number(counts.struck),
    dismissed: formats.number(counts.dismissed),
    open: formats.number(counts.open),
  })}</p>
<ul class="rows">${shown.map((one) => html`<li><div>${reportRow(visit, one.report)}<p><span class="badge">${outcomeOf(visit, one)}</span></p></div></li>`)}</ul>`;
}

function outcomeOf({ words }: StaffVisit, { report, strike }: PastReport): string {
  if (report.resolvedAt === undefined) return words.moderation.history.open;
  return strike === undefined ? words.moderation.history.dismissed : words.staff.reports.actions[strike.action];
}
