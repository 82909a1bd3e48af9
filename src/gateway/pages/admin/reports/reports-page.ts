/** /admin/reports: the reports of the server, open or closed, also those about one account. */

import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import type { Report } from '../../../../actors/account/reports/reports.records.ts';
import { shorten } from '../../../../actors/text/shorten.ts';
import { listReports } from '../../../../operations/reports/handle-reports.ts';
import { parseId } from '../../../../runtime/ids.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { queryFields } from '../../../oauth/forms.ts';
import { webLimits } from '../../limits.ts';
import { handleOf } from '../../parts/links.ts';
import { tabs } from '../../parts/tabs.ts';
import { timeAgo } from '../../parts/time.ts';
import { olderThanOf } from '../../visit.ts';
import { listOf, olderLink } from '../parts.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { keysHelp } from './report-keys.ts';

export const reportsPath = '/admin/reports';

export const reportsPage = staffPage('manageReports', (visit, { request }) => {
  const words = visit.words.staff.reports;
  const given = queryFields(request.query);
  const isResolved = given.get('closed') !== undefined;
  const targetId = parseId(given.get('about') ?? '');
  const state = isResolved ? 'closed' : 'open';
  const page = listReports(visit, { state, targetId, maxId: olderThanOf(request), limit: webLimits.pageStatuses });
  const kept = targetId === undefined ? '' : `about=${targetId}&`;
  const target = targetId === undefined ? undefined : findProfile(visit.services.snapshots, targetId);
  const tab = (label: string, query: string, isCurrent: boolean) => ({
    ...{ words: label, path: `${reportsPath}?${kept}${query}`, isCurrent },
  });
  const main = html`${tabs(words.title, [tab(words.open, '', !isResolved), tab(words.closed, 'closed=1', isResolved)])}
${target !== undefined && html`<p class="list">${words.about({ account: html`<bdi>@${handleOf(target)}</bdi>` })} · <a href="${reportsPath}">${words.all}</a></p>`}
${listOf(
  visit,
  words.title,
  page.items.map((report) => reportRow(visit, report)),
  isResolved ? words.noneClosed : words.none,
)}
${olderLink(visit, page, `${kept}${isResolved ? 'closed=1&' : ''}`)}
${keysHelp(visit, ['next', 'previous'])}`;
  return staffAnswer(visit, { section: 'reports', title: words.title, main, done: doneOf(visit, request) });
});

/** One of a list: about whom, by whom, why. */
export function reportRow(visit: StaffVisit, report: Report): Html {
  const { snapshots } = visit.services;
  const { staff } = visit.words;
  const words = staff.reports;
  const [target, by] = [findProfile(snapshots, report.targetId), findProfile(snapshots, report.accountId)];
  const assigned = report.assignedToId === undefined ? undefined : findProfile(snapshots, report.assignedToId);
  const handle = (profile: typeof target) =>
    profile === undefined ? staff.somebodyGone : html`<bdi>@${handleOf(profile)}</bdi>`;
  const comment = shorten(report.comment.replace(/\s+/g, ' '), webLimits.quotedCharactersMax);
  return html`<p class="line row"><a class="what" href="${reportsPath}/${report.id}">${words.one({ account: handle(target) })}</a>
<span class="badge">${words.categories[report.category]}</span><span class="when fine">${timeAgo(visit, report.createdAt)}</span></p>
${comment !== '' && html`<p dir="auto">${comment}</p>`}
<p class="fine">${words.by({ name: handle(by) })}${report.statusIds.length > 0 && html` · ${words.posts({ count: report.statusIds.length })}`}${
    assigned !== undefined && html` · ${words.lookedAfter({ name: handle(assigned) })}`
  }</p>`;
}
