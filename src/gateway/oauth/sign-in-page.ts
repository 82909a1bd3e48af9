/** GET and POST /auth/sign_in and /auth/sign_out: signs users in and out in a browser. */

import { isBarred } from '../../actors/account/profile/logins.queries.ts';
import { signIn } from '../../operations/registration/sign-in.ts';
import { asFailure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { Words } from '../../services/words/languages.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { statusOf } from '../http/failures.ts';
import { failureSentence } from '../pages/failure-sentence.ts';
import { type Html, html, pageAnswer } from '../pages/page.ts';
import { strikesPath } from '../pages/parts/links.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { type Browser, browserOf, formToken } from './browser.ts';
import { closeSession, openSession } from './browser-session.ts';
import { alert, failedPage, hidden, localPath, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { ownForm, visitorContext } from './own-form.ts';

type Context = RawContext<Services>;

export interface SignInForm {
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

export function signInAnswer(form: SignInForm): Answer {
  const { words } = form;
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
<p><a href="/auth/password/new">${signing.forgotten.title}</a></p>
<p><a href="/auth/sign_up?${new URLSearchParams({ return_to: form.returnTo }).toString()}">${signing.createAccount}</a></p>`;
  const status = form.problem === undefined ? 200 : 422;
  return pageAnswer({ words, title: signing.signIn, body }, { status, headers: form.browser.cookie });
}

export const signInPage = rawRoute<Services>({
  method: 'GET',
  path: '/auth/sign_in',
  failed: failedPage,
  async handler({ request, services }) {
    const browser = browserOf(services, request);
    const returnTo = localPath(queryFields(request.query).get('return_to'));
    if (browser.account !== undefined) return redirect(returnTo, 303);
    const { formSecret } = await secretsOf(services);
    return signInAnswer({ words: wordsFor(services, request, undefined), browser, formSecret, returnTo });
  },
});

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
    const account = await signIn(visitorContext(context), {
      email: email ?? '',
      password: fields.get('password') ?? '',
      userAgent: context.request.header('user-agent'),
      admitsBarred: true,
    });
    // A user who was signed in before is signed out.
    await closeSession(context, browser);
    const leadsTo = isBarred(account) ? strikesPath : returnTo;
    return redirect(leadsTo, 303, await openSession(context, account, 'password'));
  } catch (error) {
    const failure = asFailure(error);
    if (statusOf(failure) >= 500) throw failure;
    const words = wordsFor(context.services, context.request, undefined);
    return signInAnswer({ words, browser, formSecret, returnTo, email, problem: failureSentence(words, failure) });
  }
}

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
