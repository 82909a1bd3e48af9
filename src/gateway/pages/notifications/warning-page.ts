/**
 * /disputes/strikes/:id: a warning that the visitor got. Clients show what was done, and link here for the text
 * (behaviour of the Mastodon API).
 */
import { Failure } from '../../../runtime/errors.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { html } from '../parts/html.ts';
import { notificationEntry } from '../parts/notification.ts';
import { idInPath } from '../visit.ts';

export const warningPage = memberPage((visit, context) => {
  const shown = visit.services.notifications.one(visit.account.id, idInPath(context));
  if (shown?.notification.warning === undefined) throw new Failure('notFound');
  const main = html`<h1 class="list">Warning</h1>
<ol class="timeline" aria-label="Warning">${notificationEntry(visit, shown, false)}</ol>`;
  return siteAnswer(visit, { title: 'Warning', main, current: 'notifications', isIndexed: false });
});
