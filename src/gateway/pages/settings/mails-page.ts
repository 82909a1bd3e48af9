/** /settings/mails: what the visitor is told by mail. */
import { MailTopic } from '../../../actors/account/mail/mail.records.ts';
import {
  allowEmailSubscriptions,
  ownEmailSubscriptions,
} from '../../../operations/email-subscriptions/allow-email-subscriptions.ts';
import { changeMailSettings, mailChoicesOf } from '../../../operations/mail/change-mail-settings.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { redirect } from '../../http/answers.ts';
import { hidden, queryFields } from '../../oauth/forms.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { formRoute } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

export const mailsPage = memberPage((visit, { request }) => {
  const words = visit.words.settings.mails;
  const { topics, always } = mailChoicesOf(visit.services, visit.account.id);
  const main = html`${settingsHead(visit, words.title)}
${queryFields(request.query).get('done') !== undefined && html`<p class="card done" role="status">${words.done}</p>`}
${!visit.services.mail.isOn && html`<p class="card">${words.noMail}</p>`}
<form class="card plain settings" method="post" action="/web/settings/mails">
${hidden('form_token', visit.formToken)}
<p>${words.introduction}</p>
${Array.from(topics, ([topic, isOn]) => choice(topic, isOn, words.topics[topic]))}
${choice('always', always, words.always, words.alwaysHint)}
<button type="submit">${words.save}</button>
</form>
${subscriptionsForm(visit)}
<p class="fine">${words.security}</p>`;
  return siteAnswer(visit, { title: words.title, main, current: 'settings', isIndexed: false });
});

/** Whether others may subscribe to the account, where the server and its role offer that. */
function subscriptionsForm(visit: MemberVisit): Html | undefined {
  const own = ownEmailSubscriptions(visit.services, visit.account.id);
  if (own === undefined) return undefined;
  const words = visit.words.people.subscribing;
  return html`<form class="card plain settings" method="post" action="/web/settings/email-subscriptions">
${hidden('form_token', visit.formToken)}
<h2>${words.own}</h2>
${choice('email_subscriptions', own.isAllowed, words.allow, words.allowHint)}
<p>${words.subscribers({ count: own.subscribers })}</p>
<button type="submit">${visit.words.settings.mails.save}</button>
</form>`;
}

export const changeEmailSubscriptionsForm = formRoute('/web/settings/email-subscriptions', async (form) => {
  await allowEmailSubscriptions(form, { isAllowed: form.fields.get('email_subscriptions') !== undefined });
  return redirect('/settings/mails?done=1', 303);
});

function choice(name: string, isOn: boolean, label: string, hint?: string): Html {
  const described = hint !== undefined && html` aria-describedby="${name}-hint"`;
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`}${described}> <span>${label}</span></label>
${hint !== undefined && html`<p class="fine" id="${name}-hint">${hint}</p>`}</div>`;
}

export const changeMailsForm = formRoute(
  '/web/settings/mails',
  async (form) => {
    const { fields, services, account } = form;
    // Only what the page has shown: staff topics are no choice of others.
    const { topics } = mailChoicesOf(services, account.id);
    const shown = MailTopic.options.filter((topic) => topics.has(topic));
    await changeMailSettings(form, {
      topics: Object.fromEntries(shown.map((topic) => [topic, fields.get(topic) !== undefined])),
      always: fields.get('always') !== undefined,
    });
    return redirect('/settings/mails?done=1', 303);
  },
  { admitsMoved: true },
);
