/** /notifications: what happened to somebody, newest first. Whoever has seen the page has read them. */
import { markersOf } from '../../actors/account/markers/markers.queries.ts';
import { readNotifications } from '../../operations/notifications/read-notifications.ts';
import { redirect } from '../http/answers.ts';
import { webLimits } from './limits.ts';
import { liveAddress } from './live-lists.ts';
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { signInPath } from './parts/links.ts';
import { notificationEntry } from './parts/notification.ts';
import { memberOf, olderThanOf } from './visit.ts';

export const notificationsPage = pageHandler(async (visit, { request, services, limitsOf }) => {
  const member = memberOf(visit);
  if (member === undefined) return redirect(signInPath(visit), 303);
  const { account } = member;
  const maxId = olderThanOf(request);
  const readId = markersOf(services.snapshots, account.id).notifications?.lastReadId ?? 0n;
  const bounds = { maxId, limit: webLimits.pageStatuses };
  const { items, newest, oldest, full } = services.notifications.page(account.id, {}, bounds);
  const entries = items.map((one) => notificationEntry(member, one, one.id > readId));
  if (maxId === undefined && newest !== undefined && newest > readId) {
    const caller = { kind: 'account', accountId: account.id, limits: limitsOf(account.id) } as const;
    await readNotifications({ caller, services }, { newestId: newest });
  }
  const main = html`<h1 class="list">Notifications</h1>
<ol class="timeline" aria-label="Notifications" data-one="notification"${maxId === undefined && html` data-live="${liveAddress('notifications', newest)}"`}>${entries}</ol>
${items.length === 0 && !full && html`<div class="empty"><h2>Nothing yet</h2><p>Replies, mentions, boosts, favourites and new followers will appear here.</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">Older notifications</a></nav>`}`;
  return siteAnswer(visit, { title: 'Notifications', main, current: 'notifications', isIndexed: false });
});
