/** GET and POST /auth/sign_up: creates an account in a browser. */
import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { settingsOf } from '../../operations/instance/settings.ts';
import { type FieldProblems, FieldsRefused } from '../../operations/refused-fields.ts';
import { registrationLimits } from '../../operations/registration/limits.ts';
import { registerAccount } from '../../operations/registration/register-account.ts';
import { Failure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import { preferredLanguage } from '../http/accept-language.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type Html, html, pageAnswer } from '../pages/page.ts';
import { rulesFor, rulesList } from '../pages/parts/rules.ts';
import { rawRoute } from '../route.ts';
import { type Browser, browserOf, formToken } from './browser.ts';
import { openSession } from './browser-session.ts';
import {
  alert,
  type Fields,
  failedPage,
  formField,
  hidden,
  localPath,
  notYet,
  problemSentence,
  queryFields,
} from './forms.ts';
import { oauthLimits } from './limits.ts';
import { ownForm, visitorContext } from './own-form.ts';

export const signUpPage = rawRoute<Services>({
  method: 'GET',
  path: '/auth/sign_up',
  failed: failedPage,
  async handler({ request, services }) {
    if (settingsOf(services).registrations === 'closed') throw new Failure('forbidden', { text: closedSentence });
    const { formSecret } = await secretsOf(services);
    const fields = queryFields(request.query);
    const language = preferredLanguage(request.header('accept-language'));
    return signUpAnswer({ services, browser: browserOf(services, request), formSecret, fields, language });
  },
});

const closedSentence = 'This server does not take new accounts at the moment.';

interface SignUpForm {
  readonly services: Services;
  readonly browser: Browser;
  readonly formSecret: string;
  readonly fields: Fields;
  /** That the browser asks for first. */
  readonly language: string | undefined;
  readonly problems?: FieldProblems;
}

function signUpAnswer({ services, browser, formSecret, fields, language, problems = {} }: SignUpForm): Answer {
  const { registrations, rules } = settingsOf(services);
  const given = (name: string) => fields.get(name) ?? '';
  const problem = (name: string) => problemSentence(subjects[name], problems[name]);
  const body = html`${alert(Object.keys(problems).length > 0 ? notYet : undefined)}
<form method="post" action="/auth/sign_up">
${hidden('form_token', formToken(formSecret, browser))}
${hidden('return_to', localPath(fields.get('return_to')))}
${formField({
  name: 'username',
  label: 'User name',
  hint: html`Letters, digits and underscores. People find you as <code>@name@${services.addresses.domain}</code>; it cannot be changed later.`,
  problem: problem('username'),
  control: (described) =>
    html`<input name="username" value="${given('username')}" autocomplete="username" autocapitalize="none" spellcheck="false" pattern="[A-Za-z0-9_]{1,30}" maxlength="${registrationLimits.usernameCharactersMax}" required autofocus${described}>`,
})}
${formField({
  name: 'email',
  label: 'E-mail address',
  hint: 'You sign in with it. Nobody else sees it.',
  problem: problem('email'),
  control: (described) =>
    html`<input type="email" name="email" value="${given('email')}" autocomplete="email" required${described}>`,
})}
${formField({
  name: 'password',
  label: 'Password',
  hint: `At least ${registrationLimits.passwordCharactersMin} characters. Several words are good, and easy to remember.`,
  problem: problem('password'),
  control: (described) =>
    html`<input type="password" name="password" autocomplete="new-password" minlength="${registrationLimits.passwordCharactersMin}" required${described}>`,
})}
${
  registrations === 'approval' &&
  formField({
    name: 'reason',
    label: 'Why do you want to join?',
    hint: 'Somebody of the staff reads it before your account is opened.',
    problem: problem('reason'),
    control: (described) =>
      html`<textarea name="reason" maxlength="${registrationLimits.reasonCharactersMax}"${described}>${given('reason')}</textarea>`,
  })
}
${rules.length > 0 && html`<section class="agreed"><h2>Rules of this server</h2>${rulesList(rulesFor(rules, language))}</section>`}
${agreementField(rules.length > 0, fields.get('agreement') !== undefined, problem('agreement'))}
<button type="submit">Create the account</button>
</form>
<p>You have an account here? <a href="/auth/sign_in?${new URLSearchParams({ return_to: localPath(fields.get('return_to')) }).toString()}">Sign in</a></p>`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return pageAnswer({ title: 'Create an account', body }, { status, headers: browser.cookie });
}

function agreementField(hasRules: boolean, isChecked: boolean, problem: string | undefined): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="agreement" value="true" required${isChecked && html` checked`}> <span>${
    hasRules ? 'I agree to these rules' : 'I agree to be kind: this server has no written rules yet'
  }</span></label>${problem !== undefined && html`<p class="wrong">${problem}</p>`}</div>`;
}

const subjects: Readonly<Record<string, string>> = {
  username: 'This user name',
  email: 'This e-mail address',
  password: 'The password',
  reason: 'This',
  agreement: 'This',
};

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
    if (!(error instanceof FieldsRefused)) throw error;
    const language = preferredLanguage(context.request.header('accept-language'));
    return signUpAnswer({ services, browser, formSecret, fields, language, problems: error.problems });
  }
}
