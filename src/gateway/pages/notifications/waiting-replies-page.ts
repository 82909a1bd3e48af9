/** /notifications/replies: replies to posts of the visitor that wait until the visitor agrees. */
import { replyRequestsOf } from '../../../actors/account/reply-requests/reply-requests.queries.ts';
import { html } from '../../../services/words/html.ts';
import { shownStatus } from '../filtered.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { article } from '../parts/status.ts';
import { olderThanOf } from '../visit.ts';
import { notificationTabs } from './notification-requests-page.ts';

export const waitingRepliesPage = memberPage((visit, { request, services }) => {
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pageStatuses };
  const { items, oldest, full } = replyRequestsOf(services.snapshots, visit.account.id, bounds, (replyId) =>
    shownStatus(visit, replyId, 'single'),
  );
  const words = visit.words.posts.consent;
  const main = html`<h1 class="unseen">${words.title}</h1>
${notificationTabs(visit, 'replies')}
${items.length > 0 && html`<ol class="timeline" aria-label="${words.title}">${items.map((view) => html`<li class="entry">${article(visit, view, view.status.id)}</li>`)}</ol>`}
${items.length === 0 && !full && html`<div class="empty"><h2>${words.none}</h2><p>${words.noneHint}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.older}</a></nav>`}`;
  return siteAnswer(visit, { title: words.title, main, current: 'notifications', isIndexed: false });
});
