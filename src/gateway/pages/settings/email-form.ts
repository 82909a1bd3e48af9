/** The e-mail address in the settings: shows and changes it, where the server sends mail. */
import { mailOf } from '../../../actors/account/mail/mail.queries.ts';
import type { FieldProblems } from '../../../operations/refused-fields.ts';
import { formField, hidden } from '../../oauth/forms.ts';
import { problemSentence } from '../failure-sentence.ts';
import { type Html, html } from '../page.ts';
import type { MemberVisit } from '../visit.ts';

export function emailForm(visit: MemberVisit, problems: FieldProblems): Html | undefined {
  const { services, account } = visit;
  if (!services.mail.isOn) return undefined;
  const words = visit.words.settings.email;
  const { confirmation, refused } = mailOf(services.snapshots, account.id);
  return html`<form class="card plain settings" id="email" method="post" action="/web/settings/email">
<h2>${words.title}</h2>
<p>${words.present({ email: account.login.email })}</p>
${confirmation !== undefined && html`<p>${words.waiting({ email: confirmation.email })}</p>`}
${refused?.email === account.login.email && html`<p class="wrong">${words.refused({ response: refused.response })}</p>`}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'email',
  label: words.wanted,
  hint: words.wantedHint,
  problem: problemSentence(visit.words, problems.email),
  control: (described) => html`<input type="email" name="email" autocomplete="email" required${described}>`,
})}
${formField({
  name: 'email_password',
  label: visit.words.settings.password.present,
  problem: problemSentence(visit.words, problems.password),
  control: (described) =>
    html`<input type="password" name="email_password" autocomplete="current-password" required${described}>`,
})}
<button type="submit">${words.change}</button>
</form>`;
}
