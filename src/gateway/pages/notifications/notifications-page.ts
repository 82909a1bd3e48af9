/**
 * /notifications: the visitor's notifications in groups, newest first; and POST /web/notifications/read, which moves the marker.
 *
 * A GET moves nothing: browsers prefetch pages. The script moves the marker once the page is visible; without scripts
 * there is a button.
 */
import { markersOf } from '../../../actors/account/markers/markers.queries.ts';
import { readNotifications } from '../../../operations/notifications/read-notifications.ts';
import { Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import { html } from '../../../services/words/html.ts';
import { redirect } from '../../http/answers.ts';
import { queryFields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { liveAddress } from '../live/live-lists.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { groupEntry, groupedHere, type ShownGroup } from '../parts/notification.ts';
import { arrivalWords } from '../parts/timeline.ts';
import { formRoute } from '../signed-in-form.ts';
import { type MemberVisit, olderThanOf } from '../visit.ts';
import { notificationTabs } from './notification-requests-page.ts';

export const notificationsPage = memberPage(async (visit, { request, services }) => {
  const { account } = visit;
  const maxId = olderThanOf(request);
  const readId = markersOf(services.snapshots, account.id).notifications?.lastReadId ?? 0n;
  const bounds = { maxId, limit: webLimits.pageStatuses };
  const { notificationGroups, notificationSlices } = services;
  const steps = () => notificationGroups.pageInSlices(account.id, {}, groupedHere, bounds);
  const { items, newest, oldest, full } = await notificationSlices.run(steps, visit.asker);
  const shown = maxId === undefined ? items : await beginningHere(visit, items);
  const entries = shown.map((group) => groupEntry(visit, group, group.newestId > readId));
  const unreadId = maxId === undefined && newest !== undefined && newest > readId ? newest : undefined;
  const words = visit.words.notifications;
  const main = html`<div class="list line"><h1>${words.title}</h1>
${unreadId !== undefined && html`<button class="quiet" form="acts" formaction="/web/notifications/read?newest=${unreadId}" data-read>${words.markAsRead}</button>`}</div>
${notificationTabs(visit, 'all')}
<ol class="timeline" aria-label="${words.title}"${arrivalWords(visit, 'notifications')}${maxId === undefined && html` data-live="${liveAddress('notifications', newest)}"`}>${entries}</ol>
${items.length === 0 && !full && html`<div class="empty"><h2>${words.nothing}</h2><p>${words.nothingHint}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.older}</a></nav>`}`;
  return siteAnswer(visit, { title: words.title, main, current: 'notifications', isIndexed: false });
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
