/**
 * /notifications/requests: accounts whose mentions and quotes the visitor's policy has filtered, and that policy;
 * /notifications/requests/:id: what was filtered of one of them. And their forms: POST /web/notification-requests/:id/accept
 * and dismiss, POST /web/notifications/policy.
 */

import { notificationPolicyOf } from '../../../actors/account/notifications/notification-requests.queries.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { hasReplyRequests } from '../../../actors/account/reply-requests/reply-requests.queries.ts';
import { NotificationPolicy, Treatment, treatments } from '../../../actors/policy/notification-policy.ts';
import { changeNotificationPolicy } from '../../../operations/notifications/change-policy.ts';
import { settleNotificationRequest } from '../../../operations/notifications/settle-requests.ts';
import { meaningful } from '../../../operations/presentation/notification-requests.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { formField, hidden, queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { byline } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { notificationEntry } from '../parts/notification.ts';
import { tabs } from '../parts/tabs.ts';
import { timeAgo } from '../parts/time.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { idInPath, type MemberVisit, olderThanOf } from '../visit.ts';

const pagePath = '/notifications/requests';

type ShownRequest = NonNullable<ReturnType<GatewayServices['notificationRequests']['one']>>;

/** At the head of all pages of notifications. */
export function notificationTabs(
  { services, account, words: { notifications, posts } }: MemberVisit,
  current: 'all' | 'mentions' | 'requests' | 'replies',
): Html {
  const { requests } = services.notificationRequests.pending(account.id);
  const label =
    requests === 0 ? notifications.requests : notifications.requestsCounted({ number: countWords(requests) });
  return tabs(notifications.title, [
    { words: notifications.all, path: '/notifications', isCurrent: current === 'all' },
    { words: notifications.mentions, path: '/notifications/mentions', isCurrent: current === 'mentions' },
    { words: label, path: pagePath, isCurrent: current === 'requests' },
    ...(current === 'replies' || hasReplyRequests(services.snapshots, account.id)
      ? [{ words: posts.consent.title, path: '/notifications/replies', isCurrent: current === 'replies' }]
      : []),
  ]);
}

function countWords(count: number): string {
  return count > meaningful(count) ? `${meaningful(count)}+` : String(count);
}

export const notificationRequestsPage = memberPage((visit, { request, services }) => {
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pagePeople };
  const { items, oldest, full } = services.notificationRequests.page(visit.account.id, bounds);
  const words = visit.words.notifications.request;
  const isChanged = queryFields(request.query).get('done') === 'policy';
  const main = html`<h1 class="unseen">${words.title}</h1>
${notificationTabs(visit, 'requests')}
${isChanged && html`<p class="card done" role="status">${words.saved}</p>`}
${items.length > 0 && html`<ul class="timeline people" aria-label="${words.title}">${items.map((one) => requestEntry(visit, one))}</ul>`}
${items.length === 0 && !full && html`<div class="empty"><h2>${words.none}</h2><p>${words.noneHint}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.older}</a></nav>`}
${policyForm(visit)}`;
  return siteAnswer(visit, { title: words.title, main, current: 'notifications', isIndexed: false });
});

function requestEntry(visit: MemberVisit, { id, request }: ShownRequest): Html | undefined {
  const from = findAccount(visit.services.snapshots, request.fromId);
  if (from === undefined) return undefined;
  const { posts } = visit.words.notifications.request;
  const label = posts({ count: request.mentions, number: countWords(request.mentions) });
  return html`<li class="entry person">${byline(visit, from.profile)}
<span class="answer">${answerButtons(visit, id)}</span>
<p class="fine wanted"><a href="${pagePath}/${id}">${label}</a> · ${timeAgo(visit, request.updatedAt)}</p></li>`;
}

function answerButtons({ words: { notifications } }: MemberVisit, id: Id): Html {
  const path = `/web/notification-requests/${id}`;
  return html`<button form="acts" formaction="${path}/accept">${notifications.request.accept}</button> <button class="quiet" form="acts" formaction="${path}/dismiss">${notifications.request.dismiss}</button>`;
}

export const notificationRequestPage = memberPage((visit, context) => {
  const { account, services } = visit;
  const shown = services.notificationRequests.one(account.id, idInPath(context));
  const from = shown && findAccount(services.snapshots, shown.request.fromId);
  if (shown === undefined || from === undefined) throw new Failure('notFound');
  const choice = { fromId: shown.request.fromId };
  const { items } = services.notifications.page(account.id, choice, { limit: webLimits.pageStatuses });
  const words = visit.words.notifications.request;
  const filtered = items.filter(({ isFiltered }) => isFiltered);
  const main = html`<h1 class="unseen">${words.titleOfOne}</h1>
${notificationTabs(visit, 'requests')}
<div class="card person">${byline(visit, from.profile)}<span class="answer">${answerButtons(visit, shown.id)}</span></div>
<ol class="timeline" aria-label="${words.filtered}">${filtered.map((one) => notificationEntry(visit, one, false))}</ol>`;
  return siteAnswer(visit, { title: words.titleOfOne, main, current: 'notifications', isIndexed: false });
});

function policyForm(visit: MemberVisit): Html {
  const policy = notificationPolicyOf(visit.services.snapshots, visit.account.id);
  const words = visit.words.notifications.policy;
  const rows = NotificationPolicy.keyof().options.map((rule) => {
    return formField({
      name: rule,
      label: words[rule],
      hint: words[`${rule}Hint`],
      control: (described) => treatmentSelect(visit, rule, policy[rule], described),
    });
  });
  return html`<form class="card plain settings" method="post" action="/web/notifications/policy">
<h2>${words.title}</h2>
${hidden('form_token', visit.formToken)}
${rows}
<button type="submit">${words.save}</button>
</form>`;
}

function treatmentSelect({ words }: MemberVisit, rule: string, chosen: Treatment, described: Html): Html {
  const options = treatments.map(
    (one) =>
      html`<option value="${one}"${one === chosen && html` selected`}>${words.notifications.policy.treatment[one]}</option>`,
  );
  return html`<select name="${rule}"${described}>${options}</select>`;
}

function form(
  path: string,
  run: (form: SignedInForm, context: RawContext<GatewayServices>) => Promise<unknown>,
  done: string,
): RawRoute<GatewayServices> {
  return formRoute(path, async (given, context) => {
    await run(given, context);
    return redirect(done, 303);
  });
}

/** Invalid values leave a rule unchanged. */
function chosenPolicy({ fields }: SignedInForm): Partial<NotificationPolicy> {
  const chosen = NotificationPolicy.keyof().options.map((rule) => [rule, Treatment.safeParse(fields.get(rule)).data]);
  return Object.fromEntries(chosen) as Partial<NotificationPolicy>;
}

export const notificationRequestForms: readonly RawRoute<GatewayServices>[] = [
  ...[true, false].map((isAccepted) =>
    form(
      `/web/notification-requests/:id/${isAccepted ? 'accept' : 'dismiss'}`,
      (given, context) => settleNotificationRequest(given, { requestId: idInPath(context), isAccepted }),
      pagePath,
    ),
  ),
  form(
    '/web/notifications/policy',
    (given) => changeNotificationPolicy(given, chosenPolicy(given)),
    `${pagePath}?done=policy`,
  ),
];
