/**
 * /disputes/strikes: the warnings that the visitor got, which stay when their notifications go. /disputes/strikes/:id is
 * one of them: clients show what was done, and link here for the text (behaviour of the Mastodon API).
 */
import { findWarning, warningsOf } from '../../../actors/account/notifications/warnings.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { html } from '../parts/html.ts';
import { warningEntry } from '../parts/notification.ts';
import { idInPath, olderThanOf } from '../visit.ts';

export const warningPage = memberPage((visit, context) => {
  const warning = findWarning(visit.services.snapshots, visit.account.id, idInPath(context));
  if (warning === undefined) throw new Failure('notFound');
  const main = html`<h1 class="list">Warning</h1>
<ol class="timeline" aria-label="Warning">${warningEntry(visit, warning, false)}</ol>`;
  return siteAnswer(visit, { title: 'Warning', main, current: 'notifications', isIndexed: false });
});

export const warningsPage = memberPage((visit, { request }) => {
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pageStatuses };
  const { items, full, oldest } = warningsOf(visit.services.snapshots, visit.account.id, bounds);
  const list = html`<ol class="timeline" aria-label="Warnings">${items.map((warning) => warningEntry(visit, warning, false))}</ol>`;
  const main = html`<h1 class="list">Warnings</h1>
${items.length > 0 ? list : html`<div class="empty"><p>Nobody has warned you.</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">More</a></nav>`}`;
  return siteAnswer(visit, { title: 'Warnings', main, current: 'notifications', isIndexed: false });
});
