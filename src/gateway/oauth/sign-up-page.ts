/** GET and POST /auth/sign_up: a new account, made in a browser. */
import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { settingsOf } from '../../operations/instance/settings.ts';
import { registrationLimits } from '../../operations/registration/limits.ts';
import { registerAccount } from '../../operations/registration/register-account.ts';
import { asFailure, Failure, validationSentence } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { html, pageAnswer } from '../pages/page.ts';
import { rawRoute } from '../route.ts';
import { type Browser, browserOf, formToken, openSession } from './browser.ts';
import { alert, type Fields, failedPage, hidden, localPath, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { ownForm, visitorContext } from './own-form.ts';

export const signUpPage = rawRoute<Services>({
  method: 'GET',
  path: '/auth/sign_up',
  failed: failedPage,
  async handler({ request, services }) {
    if (settingsOf(services).registrations === 'closed') throw new Failure('forbidden', { text: closedSentence });
    const { formSecret } = await secretsOf(services);
    return signUpAnswer(services, browserOf(services, request), formSecret, queryFields(request.query), undefined);
  },
});

const closedSentence = 'This server does not take new accounts at the moment.';

function signUpAnswer(
  services: Services,
  browser: Browser,
  formSecret: string,
  fields: Fields,
  problem: string | undefined,
): Answer {
  const needsApproval = settingsOf(services).registrations === 'approval';
  const body = html`${alert(problem)}
<form method="post" action="/auth/sign_up">
${hidden('form_token', formToken(formSecret, browser))}
${hidden('return_to', localPath(fields.get('return_to')))}
<label>User name
<input name="username" value="${fields.get('username') ?? ''}" autocomplete="username" pattern="[A-Za-z0-9_]{1,30}" required autofocus></label>
<label>E-mail address
<input type="email" name="email" value="${fields.get('email') ?? ''}" autocomplete="email" required></label>
<label>Password
<input type="password" name="password" autocomplete="new-password" minlength="${registrationLimits.passwordCharactersMin}" required></label>
${
  needsApproval &&
  html`<label>Why do you want to join? Somebody reads it before your account is opened.
<textarea name="reason" maxlength="${registrationLimits.reasonCharactersMax}">${fields.get('reason') ?? ''}</textarea></label>`
}
<label><input type="checkbox" name="agreement" value="true" required${fields.get('agreement') !== undefined && html` checked`}> I agree to the rules of this server</label>
<button type="submit">Create the account</button>
</form>`;
  const status = problem === undefined ? 200 : 422;
  return pageAnswer({ title: 'Create an account', body }, { status, headers: browser.cookie });
}

export const postSignUp = rawRoute<Services>({
  method: 'POST',
  path: '/auth/sign_up',
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  handler: (context) => signUpWithForm(context),
});

async function signUpWithForm(context: RawContext<Services>): Promise<Answer> {
  const { services } = context;
  const { fields, browser, formSecret } = await ownForm(context);
  try {
    const { accountId } = await registerAccount(visitorContext(context), {
      username: fields.get('username') ?? '',
      email: fields.get('email') ?? '',
      password: fields.get('password') ?? '',
      agreement: fields.get('agreement') !== undefined,
      locale: undefined,
      reason: fields.get('reason'),
    });
    const account = findLocalAccount(services.snapshots, accountId);
    if (account === undefined) throw new Failure('outcomeUnknown');
    if (loginStateOf(account) === 'active') {
      return redirect(localPath(fields.get('return_to')), 303, await openSession(context, account));
    }
    const body = html`<p>Thank you. Your account can be used as soon as somebody of the staff has looked at it.</p>`;
    return pageAnswer({ title: 'Almost there', body });
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'validation') throw failure;
    return signUpAnswer(services, browser, formSecret, fields, validationSentence(failure));
  }
}
