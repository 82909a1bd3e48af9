/** A new password by mail: /auth/password/new asks for the link, /auth/password/reset is where it leads. */
import { FieldsRefused } from '../../operations/refused-fields.ts';
import { registrationLimits } from '../../operations/registration/limits.ts';
import { requestPasswordReset, resetPasswordByMail } from '../../operations/registration/password-reset.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { problemSentence } from '../pages/failure-sentence.ts';
import { html, pageAnswer } from '../pages/page.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { browserOf, cookieHeaders, formToken } from './browser.ts';
import { rememberDevice } from './browser-session.ts';
import { failedPage, formField, hidden, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { ownForm, visitorContext } from './own-form.ts';

type Context = RawContext<Services>;

const askPath = '/auth/password/new';
const setPath = '/auth/password/reset';

export const forgottenPasswordPage = rawRoute<Services>({
  method: 'GET',
  path: askPath,
  failed: failedPage,
  async handler({ request, services }) {
    const words = wordsFor(services, request, undefined);
    const { forgotten, email } = words.signing;
    const browser = browserOf(services, request);
    const { formSecret } = await secretsOf(services);
    const body = services.mail.isOn
      ? html`<p>${forgotten.introduction}</p>
<form method="post" action="${askPath}">
${hidden('form_token', formToken(formSecret, browser))}
<label>${email}
<input type="email" name="email" autocomplete="username" required autofocus></label>
<button type="submit">${forgotten.send}</button>
</form>`
      : html`<p>${forgotten.noMail}</p>`;
    return pageAnswer({ words, title: forgotten.title, body }, { headers: browser.cookie });
  },
});

export const postForgottenPassword = rawRoute<Services>({
  method: 'POST',
  path: askPath,
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  async handler(context) {
    const { fields } = await ownForm(context);
    await requestPasswordReset(visitorContext(context), { email: fields.get('email') ?? '' });
    const words = wordsFor(context.services, context.request, undefined);
    const { forgotten } = words.signing;
    return pageAnswer({ words, title: forgotten.title, body: html`<p>${forgotten.sent}</p>` });
  },
});

export const newPasswordPage = rawRoute<Services>({
  method: 'GET',
  path: setPath,
  failed: failedPage,
  handler: (context) => newPasswordAnswer(context, queryFields(context.request.query).get('token') ?? ''),
});

async function newPasswordAnswer(
  { request, services }: Context,
  token: string,
  problems: FieldsRefused['problems'] = {},
): Promise<Answer> {
  const words = wordsFor(services, request, undefined);
  const { wanted, wantedHint } = words.settings.password;
  const { forgotten } = words.signing;
  const browser = browserOf(services, request);
  const { formSecret } = await secretsOf(services);
  const { passwordCharactersMin: limit } = registrationLimits;
  const body = html`<form method="post" action="${setPath}">
${hidden('form_token', formToken(formSecret, browser))}
${hidden('token', token)}
${formField({
  name: 'wanted',
  label: wanted,
  hint: wantedHint({ limit }),
  problem: problemSentence(words, problems.wanted),
  control: (described) =>
    html`<input type="password" name="wanted" autocomplete="new-password" minlength="${limit}" required autofocus${described}>`,
})}
<button type="submit">${forgotten.set}</button>
</form>`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return pageAnswer({ words, title: forgotten.setTitle, body }, { status, headers: browser.cookie });
}

export const postNewPassword = rawRoute<Services>({
  method: 'POST',
  path: setPath,
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  async handler(context) {
    const { fields } = await ownForm(context);
    const token = fields.get('token') ?? '';
    try {
      const wish = { token, wanted: fields.get('wanted') ?? '' };
      const { accountId } = await resetPasswordByMail(visitorContext(context), wish);
      // Whoever has the mail of the account can sign in, also while strangers use up its attempts.
      const cookie = await rememberDevice(context, accountId, 'password');
      return redirect('/auth/sign_in?done=password', 303, cookieHeaders(cookie));
    } catch (error) {
      if (error instanceof FieldsRefused) return newPasswordAnswer(context, token, error.problems);
      throw error;
    }
  },
});
