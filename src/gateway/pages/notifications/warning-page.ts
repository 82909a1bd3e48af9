/**
 * /disputes/strikes: the warnings that the visitor got, which stay when their notifications go. /disputes/strikes/:id is
 * one of them: clients show what was done, and link here for the text (behaviour of the Mastodon API).
 */
import { findWarning, warningsOf } from '../../../actors/account/moderation/warnings.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { html } from '../../../services/words/html.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { warningEntry } from '../parts/notification.ts';
import { idInPath, olderThanOf } from '../visit.ts';

export const warningPage = memberPage((visit, context) => {
  const warning = findWarning(visit.services.snapshots, visit.account.id, idInPath(context));
  if (warning === undefined) throw new Failure('notFound');
  const { one: title } = visit.words.notifications.warnings;
  const main = html`<h1 class="list">${title}</h1>
<ol class="timeline" aria-label="${title}">${warningEntry(visit, warning, false)}</ol>`;
  return siteAnswer(visit, { title, main, current: 'notifications', isIndexed: false });
});

export const warningsPage = memberPage((visit, { request }) => {
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pageStatuses };
  const { items, full, oldest } = warningsOf(visit.services.snapshots, visit.account.id, bounds);
  const { title, none, more } = visit.words.notifications.warnings;
  const list = html`<ol class="timeline" aria-label="${title}">${items.map((warning) => warningEntry(visit, warning, false))}</ol>`;
  const main = html`<h1 class="list">${title}</h1>
${items.length > 0 ? list : html`<div class="empty"><p>${none}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${more}</a></nav>`}`;
  return siteAnswer(visit, { title, main, current: 'notifications', isIndexed: false });
});
