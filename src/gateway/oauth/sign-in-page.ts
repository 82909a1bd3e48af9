/** GET and POST /auth/sign_in and /auth/sign_out: signs users in and out in a browser. */

import { accountIdOfEmail } from '../../actors/directory/directory.queries.ts';
import { settingsOf } from '../../operations/instance/settings.ts';
import { resendConfirmation } from '../../operations/registration/confirm-email.ts';
import { signInWithPasskey } from '../../operations/registration/second-step.ts';
import { signIn } from '../../operations/registration/sign-in.ts';
import { askForPasskey, canHavePasskeys } from '../../operations/two-factor/passkeys.ts';
import { asFailure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { Words } from '../../services/words/languages.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { statusOf } from '../http/failures.ts';
import { failureSentence } from '../pages/failure-sentence.ts';
import { type Html, html, pageAnswer } from '../pages/page.ts';
import { usePasskey } from '../pages/parts/passkeys.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { type Browser, browserOf, devicesOf, formToken } from './browser.ts';
import { closeSession, openSession, whereTo } from './browser-session.ts';
import { alert, type Fields, failedPage, hidden, localPath, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { accountContext, ownForm, visitorContext } from './own-form.ts';
import { secondStepAnswer } from './second-step-page.ts';

type Context = RawContext<Services>;

export interface SignInForm {
  readonly services: Services;
  readonly words: Words;
  readonly browser: Browser;
  readonly formSecret: string;
  /** The path of this server to return to. */
  readonly returnTo: string;
  /** Above the form: the reason for it. */
  readonly introduction?: Html;
  readonly email?: string | undefined;
  readonly problem?: string;
}

export async function signInAnswer(form: SignInForm): Promise<Answer> {
  const { words, services, browser } = form;
  const { signing } = words;
  const body = html`${form.introduction}
${alert(form.problem)}
<form method="post" action="/auth/sign_in">
${hidden('form_token', formToken(form.formSecret, form.browser))}
${hidden('return_to', form.returnTo)}
<label>${signing.email}
<input type="email" name="email" value="${form.email ?? ''}" autocomplete="username" required autofocus></label>
<label>${signing.password}
<input type="password" name="password" autocomplete="current-password" required></label>
<button type="submit">${signing.signIn}</button>
</form>
${await passkeyForm(form)}
<p><a href="/auth/password/new">${signing.forgotten.title}</a></p>
${settingsOf(services).registrations !== 'closed' && html`<p><a href="/auth/sign_up?${new URLSearchParams({ return_to: form.returnTo }).toString()}">${signing.createAccount}</a></p>`}`;
  const status = form.problem === undefined ? 200 : 422;
  const hasPasskeys = canHavePasskeys(services.addresses);
  return pageAnswer({ words, title: signing.signIn, body, hasPasskeys }, { status, headers: browser.cookie });
}

async function passkeyForm({ services, words, browser, formSecret, returnTo }: SignInForm): Promise<Html | undefined> {
  if (!canHavePasskeys(services.addresses)) return undefined;
  const binding = { purpose: 'sign in', browser: browser.secret, accountId: undefined } as const;
  return html`<form method="post" action="/auth/sign_in/passkey" data-passkeys hidden>
${hidden('form_token', formToken(formSecret, browser))}
${hidden('return_to', returnTo)}
${usePasskey(words, await askForPasskey(services, binding), words.signing.withPasskey)}
</form>`;
}

export const signInPage = rawRoute<Services>({
  method: 'GET',
  path: '/auth/sign_in',
  failed: failedPage,
  async handler({ request, services }) {
    const browser = browserOf(services, request);
    const query = queryFields(request.query);
    const returnTo = localPath(query.get('return_to'));
    if (browser.account !== undefined) return redirect(returnTo, 303);
    const { formSecret } = await secretsOf(services);
    const words = wordsFor(services, request, undefined);
    const introduction = toldBefore(words, query);
    return signInAnswer({ services, words, browser, formSecret, returnTo, ...(introduction && { introduction }) });
  },
});

/** Why somebody is here. */
function toldBefore({ signing }: Words, query: Fields): Html | undefined {
  if (query.get('unsent') === '1') return alert(signing.unsent);
  return query.get('done') === 'password' ? html`<p role="status">${signing.forgotten.done}</p>` : undefined;
}

export const postSignIn = rawRoute<Services>({
  method: 'POST',
  path: '/auth/sign_in',
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  handler: (context) => signInWithForm(context),
});

async function signInWithForm(context: Context): Promise<Answer> {
  const { fields, browser, formSecret } = await ownForm(context);
  const returnTo = localPath(fields.get('return_to'));
  const email = fields.get('email');
  try {
    const signedIn = await signIn(visitorContext(context), {
      email: email ?? '',
      password: fields.get('password') ?? '',
      userAgent: context.request.header('user-agent'),
      admitsBarred: true,
      browser: browser.secret,
      devices: devicesOf(context.request),
    });
    if (signedIn.kind === 'secondStep') {
      const { ticket } = signedIn;
      const words = wordsFor(context.services, context.request, undefined);
      return await secondStepAnswer({ services: context.services, words, browser, formSecret, returnTo, ticket });
    }
    // A user who was signed in before is signed out.
    await closeSession(context, browser);
    return redirect(whereTo(signedIn.account, returnTo), 303, await openSession(context, signedIn.account, 'password'));
  } catch (error) {
    const failure = asFailure(error);
    if (statusOf(failure) >= 500) throw failure;
    const words = wordsFor(context.services, context.request, undefined);
    const { services } = context;
    const isSent = failure.code === 'loginUnconfirmed' && (await sendConfirmationAgain(context, email));
    const problem = isSent ? words.signing.confirmation.sentAgain : failureSentence(words, failure);
    return signInAnswer({ services, words, browser, formSecret, returnTo, email, problem });
  }
}

/** For whoever knows the password and waits for the first mail in vain. Whether it is on its way. */
async function sendConfirmationAgain(context: Context, email = ''): Promise<boolean> {
  const { services } = context;
  const accountId = accountIdOfEmail(services.snapshots, email);
  if (accountId === undefined || !services.mail.isOn) return false;
  try {
    await resendConfirmation(accountContext(context, accountId), {});
    return true;
  } catch (error) {
    if (statusOf(asFailure(error)) >= 500) throw error;
    return false;
  }
}

export const postPasskey = rawRoute<Services>({
  method: 'POST',
  path: '/auth/sign_in/passkey',
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  async handler(context): Promise<Answer> {
    const { fields, browser, formSecret } = await ownForm(context);
    const { services, request } = context;
    const returnTo = localPath(fields.get('return_to'));
    try {
      const wish = { passkey: fields.get('passkey') ?? '', browser: browser.secret };
      const account = await signInWithPasskey(visitorContext(context), wish);
      await closeSession(context, browser);
      return redirect(whereTo(account, returnTo), 303, await openSession(context, account, 'passkey'));
    } catch (error) {
      const failure = asFailure(error);
      if (statusOf(failure) >= 500) throw failure;
      const words = wordsFor(services, request, undefined);
      const problem = failureSentence(words, failure);
      return signInAnswer({ services, words, browser, formSecret, returnTo, problem });
    }
  },
});

export const signOutPage = rawRoute<Services>({
  method: 'GET',
  path: '/auth/sign_out',
  failed: failedPage,
  async handler({ request, services }) {
    const browser = browserOf(services, request);
    const account = browser.account ?? browser.barred;
    if (account === undefined) return redirect('/', 303);
    const { formSecret } = await secretsOf(services);
    const words = wordsFor(services, request, account);
    const body = html`<p>${words.signing.signedInAs({ account: html`<strong>@${account.profile.username}</strong>` })}</p>
<form method="post" action="/auth/sign_out">
${hidden('form_token', formToken(formSecret, browser))}
<button type="submit">${words.signing.signOut}</button>
</form>`;
    return pageAnswer({ words, title: words.signing.signOut, body });
  },
});

export const postSignOut = rawRoute<Services>({
  method: 'POST',
  path: '/auth/sign_out',
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  async handler(context) {
    const { browser } = await ownForm(context);
    return redirect('/', 303, await closeSession(context, browser));
  },
});
