/** GET and POST /auth/sign_up: creates an account in a browser. */

import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { settingsOf } from '../../operations/instance/settings.ts';
import { type InviteView, registrationModeFor, usableInvite } from '../../operations/invites/invites.ts';
import { type FieldProblems, FieldsRefused } from '../../operations/refused-fields.ts';
import { registrationLimits } from '../../operations/registration/limits.ts';
import { registerAccount } from '../../operations/registration/register-account.ts';
import { Failure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { Words } from '../../services/words/languages.ts';
import { acceptedLanguages } from '../http/accept-language.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { failureAnswer } from '../http/failure-answer.ts';
import type { IncomingRequest } from '../http/request.ts';
import { problemSentence } from '../pages/failure-sentence.ts';
import { type Html, type HtmlPart, html, pageAnswer } from '../pages/page.ts';
import { rulesFor, rulesList } from '../pages/parts/rules.ts';
import { code, linkTo } from '../pages/parts/slots.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { type Browser, browserOf, formToken } from './browser.ts';
import { openSession } from './browser-session.ts';
import { alert, type Fields, failedPage, formField, hidden, localPath, queryFields } from './forms.ts';
import { inviteCodeAnswer } from './invite-answer.ts';
import { oauthLimits } from './limits.ts';
import { ownForm, visitorContext } from './own-form.ts';

export const signUpPage = rawRoute<Services>({
  method: 'GET',
  path: '/auth/sign_up',
  failed: failedPage,
  async handler({ request, services }) {
    if (settingsOf(services).registrations === 'closed') throw new Failure('forbidden', { reason: 'signUpClosed' });
    return firstAnswer(services, request);
  },
});

/** The same form for whoever has an invite, also where registrations are closed; apps get the answer of the API. */
export const invitePage = rawRoute<Services>({
  method: 'GET',
  path: '/invite/:code',
  failed: (failure, request, services) =>
    wantsJson(request) ? failureAnswer(failure, 'api') : failedPage(failure, request, services),
  handler(context) {
    const { request, services, pathParameters } = context;
    const { code = '' } = pathParameters;
    if (wantsJson(request)) return inviteCodeAnswer(services, visitorContext(context).caller, code);
    return firstAnswer(services, request, usableInvite(services, code));
  },
});

/** Browsers name HTML first. */
function wantsJson(request: IncomingRequest): boolean {
  return /^\s*application\/json\b/i.test(request.joinedHeader('accept') ?? '');
}

async function firstAnswer(services: Services, request: IncomingRequest, invite?: InviteView): Promise<Answer> {
  const { formSecret } = await secretsOf(services);
  const fields = queryFields(request.query);
  return signUpAnswer({ services, request, browser: browserOf(services, request), formSecret, fields, invite });
}

interface SignUpForm {
  readonly services: Services;
  readonly browser: Browser;
  readonly formSecret: string;
  readonly fields: Fields;
  readonly request: IncomingRequest;
  readonly invite?: InviteView | undefined;
  readonly problems?: FieldProblems;
}

function signUpAnswer({ services, request, browser, formSecret, fields, invite, problems = {} }: SignUpForm): Answer {
  const words = wordsFor(services, request, undefined);
  const { signing } = words;
  const [language] = acceptedLanguages(request.header('accept-language'));
  const { registrations, reasonRequired, rules } = settingsOf(services);
  const given = (name: string) => fields.get(name) ?? '';
  const problem = (name: string) => problemSentence(words, problems[name]);
  const signIn = `/auth/sign_in?${new URLSearchParams({ return_to: localPath(fields.get('return_to')) })}`;
  const body = html`${invite !== undefined && html`<p>${invitation(words, services, invite)}</p>`}
${alert(Object.keys(problems).length > 0 ? words.problems.checkFields : undefined)}
<form method="post" action="/auth/sign_up">
${hidden('form_token', formToken(formSecret, browser))}
${hidden('return_to', localPath(fields.get('return_to')))}
${hidden('invite_code', invite?.invite.code)}
${formField({
  name: 'username',
  label: signing.username,
  hint: signing.usernameHint({ code, server: services.addresses.domain }),
  problem: problem('username'),
  control: (described) =>
    html`<input name="username" value="${given('username')}" autocomplete="username" autocapitalize="none" spellcheck="false" pattern="[A-Za-z0-9_]{1,30}" maxlength="${registrationLimits.usernameCharactersMax}" required autofocus${described}>`,
})}
${formField({
  name: 'email',
  label: signing.email,
  hint: signing.emailHint,
  problem: problem('email'),
  control: (described) =>
    html`<input type="email" name="email" value="${given('email')}" autocomplete="email" required${described}>`,
})}
${formField({
  name: 'password',
  label: signing.password,
  hint: signing.passwordHint({ limit: registrationLimits.passwordCharactersMin }),
  problem: problem('password'),
  control: (described) =>
    html`<input type="password" name="password" autocomplete="new-password" minlength="${registrationLimits.passwordCharactersMin}" required${described}>`,
})}
${
  registrationModeFor(registrations, invite) === 'approval' &&
  formField({
    name: 'reason',
    label: signing.reason,
    hint: signing.reasonHint,
    problem: problem('reason'),
    control: (described) =>
      html`<textarea name="reason" maxlength="${registrationLimits.reasonCharactersMax}"${reasonRequired && html` required`}${described}>${given('reason')}</textarea>`,
  })
}
${rules.length > 0 && html`<section class="agreed"><h2>${signing.rules}</h2>${rulesList(rulesFor(rules, language))}</section>`}
${agreementField(words, rules.length > 0, fields.get('agreement') !== undefined, problem('agreement'))}
<button type="submit">${signing.create}</button>
</form>
<p>${signing.haveAccount({ link: linkTo(signIn) })}</p>`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return pageAnswer({ words, title: signing.createAccount, body }, { status, headers: browser.cookie });
}

/** Who invites; the account may have a name that says nothing, so its handle is shown. */
function invitation(words: Words, { addresses }: Services, { creator }: InviteView): HtmlPart {
  const server = addresses.domain;
  if (creator === undefined) return words.invites.invited({ server });
  return words.invites.invitedBy({ account: html`<bdi>@${creator.profile.username}</bdi>`, server });
}

function agreementField({ signing }: Words, hasRules: boolean, isChecked: boolean, problem: string | undefined): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="agreement" value="true" required${isChecked && html` checked`}> <span>${
    hasRules ? signing.agreeToRules : signing.agreeToBeKind
  }</span></label>${problem !== undefined && html`<p class="wrong">${problem}</p>`}</div>`;
}

export const postSignUp = rawRoute<Services>({
  method: 'POST',
  path: '/auth/sign_up',
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  handler: (context) => signUpWithForm(context),
});

async function signUpWithForm(context: RawContext<Services>): Promise<Answer> {
  const { services, request } = context;
  const words = wordsFor(services, request, undefined);
  const { fields, browser, formSecret } = await ownForm(context);
  const inviteCode = fields.get('invite_code');
  const invite = inviteCode === undefined ? undefined : usableInvite(services, inviteCode);
  try {
    const { accountId } = await registerAccount(visitorContext(context), {
      username: fields.get('username') ?? '',
      email: fields.get('email') ?? '',
      password: fields.get('password') ?? '',
      agreement: fields.get('agreement') !== undefined,
      locale: words.language.code,
      reason: fields.get('reason'),
      inviteCode,
      userAgent: request.header('user-agent'),
    });
    const account = findLocalAccount(services.snapshots, accountId);
    if (account === undefined) throw new Failure('outcomeUnknown');
    if (loginStateOf(account) === 'active') {
      return redirect(localPath(fields.get('return_to')), 303, await openSession(context, account));
    }
    const { confirmation, almostThereHint } = words.signing;
    const isUnconfirmed = loginStateOf(account) === 'unconfirmed';
    const sent = account.login.approved ? confirmation.sent : confirmation.sentThenStaff;
    const body = html`<p>${isUnconfirmed ? sent : almostThereHint}</p>
${isUnconfirmed && html`<p class="fine">${confirmation.notThere({ link: linkTo('/auth/sign_in') })}</p>`}
<p><a href="/">${words.site.problem.goHome}</a></p>`;
    return pageAnswer({ words, title: words.signing.almostThere, body });
  } catch (error) {
    if (!(error instanceof FieldsRefused)) throw error;
    return signUpAnswer({ services, request, browser, formSecret, fields, invite, problems: error.problems });
  }
}
