/**
 * /settings/push: what this browser tells while no page is open. Its forms: POST /web/settings/push, /web/settings/push/off.
 * For the service worker, where the browser has replaced its subscription: GET /web/settings/push/renewal, what it needs for
 * another, and POST /web/settings/push/renew.
 */
import { findPushSubscription } from '../../../actors/account/push/push.queries.ts';
import { type PushSubscription, pushAlerts, pushPolicies } from '../../../actors/account/push/push.records.ts';
import {
  changePush,
  subscribeBrowserToPush,
  unsubscribeFromPush,
} from '../../../operations/push/change-subscription.ts';
import { Failure } from '../../../runtime/errors.ts';
import { secretsOf } from '../../../services/instance-secrets.ts';
import { html } from '../../../services/words/html.ts';
import { json, redirect } from '../../http/answers.ts';
import { type Fields, hidden, queryFields } from '../../oauth/forms.ts';
import { isStaff } from '../admin/sections.ts';
import { pushAddress } from '../assets.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { choices } from '../parts/form-fields.ts';
import { siteAnswer } from '../parts/frame.ts';
import { formRoute } from '../signed-in-form.ts';
import type { MemberVisit, Visit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

const path = '/settings/push';
type Alert = (typeof pushAlerts)[number];

/** Proposed to whom nothing is told yet. */
const usualAlerts: readonly Alert[] = [
  ...(['mention', 'quote', 'status', 'reblog', 'favourite', 'follow', 'follow_request', 'poll'] as const),
  ...(['moderation_warning', 'admin.report'] as const),
];

export const pushPage = memberPage(async (visit, { request }) => {
  const words = visit.words.app.push;
  const present = subscriptionOf(visit);
  const { vapidPublicKey } = await secretsOf(visit.services);
  const done = queryFields(request.query).get('done') ?? '';
  const sentences: Readonly<Record<string, string>> = words.done;
  const main = html`${settingsHead(visit, words.title)}
${Object.hasOwn(sentences, done) && html`<p class="card done" role="status">${sentences[done]}</p>`}
<form class="card plain settings" method="post" action="/web/settings/push" data-push="${vapidPublicKey}"${present !== undefined && html` data-endpoint="${present.endpoint}"`}>
${hidden('form_token', visit.formToken)}
<input type="hidden" name="endpoint" value=""><input type="hidden" name="p256dh" value=""><input type="hidden" name="auth" value="">
<p>${words.introduction}</p>
<p><strong>${present === undefined ? words.isOff : words.isOn}</strong> ${present !== undefined && words.until}</p>
<p class="notice" data-push-missing>${words.missing}</p>
<p class="wrong" role="alert" data-push-refused hidden>${words.refused}</p>
${choices(words.about, 'alert', 'checkbox', alertWords(visit), alertsOf(present))}
${choices(words.whose, 'policy', 'radio', words.policies, [present?.policy ?? 'all'])}
<p class="line"><button type="submit"${present === undefined && html` disabled`}>${present === undefined ? words.turnOn : words.save}</button>
${present !== undefined && html`<button class="quiet" formaction="/web/settings/push/off" data-push-off>${words.turnOff}</button>`}</p>
</form>`;
  return siteAnswer(visit, {
    title: words.title,
    main,
    head: html`<script type="module" src="${pushAddress}"></script>`,
    current: 'settings',
    isIndexed: false,
  });
});

function subscriptionOf({ services, account, sessionId }: MemberVisit): PushSubscription | undefined {
  return sessionId === undefined ? undefined : findPushSubscription(services.snapshots, account.id, sessionId);
}

function alertsOf(subscription: PushSubscription | undefined): readonly Alert[] {
  return subscription === undefined ? usualAlerts : pushAlerts.filter((one) => subscription.alerts.includes(one));
}

/** Those of staff are for staff. */
function offeredAlerts(visit: MemberVisit): readonly Alert[] {
  return isStaff(visit) ? pushAlerts : pushAlerts.filter((one) => !one.startsWith('admin.'));
}

function alertWords(visit: MemberVisit): Record<Alert, string> {
  const { alerts } = visit.words.app.push;
  return Object.fromEntries(offeredAlerts(visit).map((one) => [one, alerts[one]])) as Record<Alert, string>;
}

function chosenIn(fields: Fields, visit: MemberVisit) {
  const given = fields.all('alert');
  const policy = pushPolicies.find((one) => one === fields.get('policy')) ?? 'all';
  return { alerts: offeredAlerts(visit).filter((one) => given.includes(one)), policy };
}

function sessionOf({ sessionId }: Pick<Visit, 'sessionId'>): string {
  if (sessionId === undefined) throw new Failure('forbidden');
  return sessionId;
}

/** The token is for this browser alone, as in a form. */
const renewalRoute = pageRoute(
  '/web/settings/push/renewal',
  memberPage(async (visit) => {
    if (subscriptionOf(visit) === undefined) throw new Failure('notFound');
    const { vapidPublicKey } = await secretsOf(visit.services);
    const headers = { 'Cache-Control': 'private, no-store' };
    return json({ key: vapidPublicKey, form_token: visit.formToken }, { headers });
  }),
);

function keysIn(fields: Fields) {
  const [endpoint = '', p256dh = '', auth = ''] = ['endpoint', 'p256dh', 'auth'].map((name) => fields.get(name));
  return { endpoint, p256dh, auth, isStandard: true };
}

/** What its user has chosen stays. Throws Failure notFound for a browser that tells nothing. */
const renewForm = formRoute(
  '/web/settings/push/renew',
  async (form) => {
    const present = subscriptionOf(form.visit);
    if (present === undefined) throw new Failure('notFound');
    const { alerts, policy } = present;
    const subscription = { ...keysIn(form.fields), alerts, policy };
    await subscribeBrowserToPush(form, { sessionId: sessionOf(form.visit), subscription });
    return redirect(path, 303);
  },
  { admitsMoved: true },
);

export const pushForms = [
  renewalRoute,
  renewForm,
  formRoute(
    '/web/settings/push',
    async (form) => {
      const { fields, visit } = form;
      const chosen = chosenIn(fields, visit);
      const keys = keysIn(fields);
      const sessionId = sessionOf(visit);
      // Without an address the browser has told nothing new, or has no script: the subscription stays that it is.
      if (keys.endpoint === '') await changePush(form, { tokenId: sessionId, changes: chosen });
      else await subscribeBrowserToPush(form, { sessionId, subscription: { ...keys, ...chosen } });
      return redirect(`${path}?done=${keys.endpoint === '' ? 'saved' : 'on'}`, 303);
    },
    { admitsMoved: true },
  ),
  formRoute(
    '/web/settings/push/off',
    async (form) => {
      await unsubscribeFromPush(form, { tokenId: sessionOf(form.visit) });
      return redirect(`${path}?done=off`, 303);
    },
    { admitsMoved: true },
  ),
];
