/** /settings/reports: what the visitor has reported to the staff, and what became of it. */
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { reportsOf } from '../../../actors/account/reports/reports.queries.ts';
import type { Report } from '../../../actors/account/reports/reports.records.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { shownStatus } from '../filtered.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { byline } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { icon } from '../parts/icons.ts';
import { statusPath } from '../parts/links.ts';
import { linkTo } from '../parts/slots.ts';
import { fullTime, timeAgo } from '../parts/time.ts';
import { type MemberVisit, olderThanOf } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

export const reportsPage = memberPage((visit, { request }) => {
  const { services, account } = visit;
  const words = visit.words.people.reports;
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pageStatuses };
  const { items, full, oldest } = reportsOf(services.snapshots, account.id, bounds);
  const main = html`${settingsHead(visit, words.title)}
${items.length > 0 && html`<ol class="timeline" aria-label="${words.title}">${items.map((one) => reportEntry(visit, one))}</ol>`}
${items.length === 0 && !full && html`<div class="empty"><p>${words.none}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.older}</a></nav>`}`;
  return siteAnswer(visit, { title: words.title, main, current: 'settings', isIndexed: false });
});

/** What staff did about the account is not told: only whether they are done. */
function reportEntry(visit: MemberVisit, report: Report): Html {
  const words = visit.words.people.reports;
  const { id, targetId, category, comment, createdAt, resolvedAt, forwarded } = report;
  const target = findAccount(visit.services.snapshots, targetId);
  const state = resolvedAt === undefined ? words.open : words.closed({ time: fullTime(visit, resolvedAt) });
  return html`<li class="entry" id="report-${id}">
<p class="context">${icon(resolvedAt === undefined ? 'clock' : 'check')} <span>${state}</span> ${timeAgo(visit, createdAt)}</p>
${target === undefined ? html`<p>${words.gone}</p>` : html`<div class="person">${byline(visit, target.profile)}</div>`}
<p>${visit.words.people.reporting[category]}</p>
${comment !== '' && html`<p class="quoted plain-text" dir="auto">${comment}</p>`}
${postsOf(visit, report)}
${forwarded && html`<p class="fine">${words.forwarded}</p>`}</li>`;
}

/** Those that are still there for the visitor. */
function postsOf(visit: MemberVisit, { statusIds }: Report): Html {
  const views = statusIds.flatMap((id) => shownStatus(visit, id, 'single') ?? []);
  return html`${views.map((view) => html`<p class="fine">${visit.words.people.reports.post({ link: linkTo(statusPath(visit, view)) })}</p>`)}`;
}
