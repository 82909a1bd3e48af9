/**
 * /notifications: the visitor's notifications in groups, newest first, or those of one `kind`; POST /web/notifications/read, which moves the
 * marker, and POST /web/notifications/dismiss and clear, which remove one row, or all.
 *
 * A GET moves nothing: browsers prefetch pages. The script moves the marker once the page is visible; without scripts
 * there is a button.
 */
import { markersOf } from '../../../actors/account/markers/markers.queries.ts';
import type { NotificationType } from '../../../actors/account/notifications/notifications.records.ts';
import { clearNotifications } from '../../../operations/notifications/clear-notifications.ts';
import { dismissNotificationGroup } from '../../../operations/notifications/dismiss-group.ts';
import { readNotifications } from '../../../operations/notifications/read-notifications.ts';
import { Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { redirect } from '../../http/answers.ts';
import { queryFields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { liveAddress } from '../live/live-lists.ts';
import { memberPage } from '../page-handler.ts';
import { fragmentHeaders, htmlAnswer } from '../parts/document.ts';
import { siteAnswer } from '../parts/frame.ts';
import { menu, menuQuestion } from '../parts/menu.ts';
import { groupEntry, groupedHere, notificationEntry, type ShownGroup } from '../parts/notification.ts';
import { arrivalWords } from '../parts/timeline.ts';
import { formRoute } from '../signed-in-form.ts';
import { type MemberVisit, olderThanOf } from '../visit.ts';
import { kindLinks, kindNamed } from './notification-kinds.ts';
import { notificationTabs } from './notification-requests-page.ts';

export const notificationsPage = memberPage(async (visit, { request, services }) => {
  const { account } = visit;
  const maxId = olderThanOf(request);
  const kind = kindNamed(queryFields(request.query).get('kind'));
  const readId = markersOf(services.snapshots, account.id).notifications?.lastReadId ?? 0n;
  const bounds = { maxId, limit: webLimits.pageStatuses };
  const { notificationGroups, notificationSlices } = services;
  const steps = () => notificationGroups.pageInSlices(account.id, { types: kind?.types }, groupedHere, bounds);
  const { items, newest, oldest, full } = await notificationSlices.run(steps, visit.asker);
  const shown = maxId === undefined ? items : await beginningHere(visit, items);
  const entries = shown.map((group) => groupEntry(visit, group, group.newestId > readId));
  const isWhole = maxId === undefined && kind === undefined;
  const unreadId = isWhole && newest !== undefined && newest > readId ? newest : undefined;
  const words = visit.words.notifications;
  const main = html`<div class="list line"><h1>${words.title}</h1>
${unreadId !== undefined && html`<button class="quiet" form="acts" formaction="/web/notifications/read?newest=${unreadId}" data-read>${words.markAsRead}</button>`}${items.length > 0 && menu(visit, words.more, clearing(visit))}</div>
${notificationTabs(visit, 'all')}
${kindLinks(visit, kind)}
<ol class="timeline" aria-label="${words.title}"${arrivalWords(visit, 'notifications')}${isWhole && html` data-live="${liveAddress('notifications', newest)}"`}>${entries}</ol>
${items.length === 0 && !full && html`<div class="empty">${kind === undefined ? html`<h2>${words.nothing}</h2><p>${words.nothingHint}</p>` : html`<p>${words.kinds.none}</p>`}</div>`}
${full && html`<nav class="paging"><a rel="next" href="?${kind !== undefined && `kind=${kind.name}&`}max_id=${oldest}">${words.older}</a></nav>`}`;
  return siteAnswer(visit, { title: words.title, main, current: 'notifications', isIndexed: false });
});

function clearing({ words: { notifications } }: MemberVisit): Html {
  return menuQuestion({
    words: notifications.clear,
    question: notifications.clearQuestion,
    answer: notifications.clearConfirm,
    action: '/web/notifications/clear',
  });
}

const ofMentions: ReadonlySet<NotificationType> = new Set(['mention', 'quote'] as const);

/** /notifications/mentions: what was written to the visitor. */
export const mentionsPage = memberPage((visit, { request, services }) => {
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pageStatuses };
  const { items, oldest, full } = services.notifications.page(visit.account.id, { types: ofMentions }, bounds);
  const words = visit.words.notifications;
  const entries = items.map((one) => notificationEntry(visit, one, false));
  const main = html`<h1 class="unseen">${words.mentions}</h1>
${notificationTabs(visit, 'mentions')}
${entries.length > 0 && html`<ol class="timeline" aria-label="${words.mentions}">${entries}</ol>`}
${entries.length === 0 && !full && html`<div class="empty"><h2>${words.noMentions}</h2><p>${words.noMentionsHint}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.older}</a></nav>`}`;
  return siteAnswer(visit, { title: words.mentions, main, current: 'notifications', isIndexed: false });
});

/** Without the groups that a newer page has shown as a whole. */
async function beginningHere(
  { services, account, asker }: MemberVisit,
  groups: readonly ShownGroup[],
): Promise<readonly ShownGroup[]> {
  const { notificationSlices, notificationGroups } = services;
  const here: ShownGroup[] = [];
  for (const group of groups) {
    const isAlone = group.newest.notification.groupHour === undefined;
    const steps = () => notificationGroups.oneInSlices(account.id, group.key, 1);
    const whole = isAlone ? undefined : await notificationSlices.run(steps, asker);
    if (whole === undefined || whole.newestId === group.newestId) here.push(group);
  }
  return here;
}

export const readNotificationsForm = formRoute('/web/notifications/read', async (form, context) => {
  const newestId = parseId(queryFields(context.request.query).get('newest') ?? '');
  if (newestId === undefined) throw new Failure('notFound');
  await readNotifications(form, { newestId });
  return redirect('/notifications', 303);
});

/** One row, which may be gone already. */
export const dismissNotificationForm = formRoute('/web/notifications/dismiss', async (form, context) => {
  await dismissNotificationGroup(form, { key: queryFields(context.request.query).get('group') ?? '' });
  if (form.fields.get('answer') === 'fragment') return htmlAnswer('', 200, fragmentHeaders);
  return redirect(form.returnTo, 303);
});

export const clearNotificationsForm = formRoute('/web/notifications/clear', async (form) => {
  await clearNotifications(form, {});
  return redirect('/notifications', 303);
});
