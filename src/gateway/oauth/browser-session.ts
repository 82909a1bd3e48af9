/** Signs a browser in and out: the session, and the cookie with its secret. */
import { type LocalAccount, passwordMarkOf } from '../../actors/account/profile/logins.queries.ts';
import type { SignInSource } from '../../actors/account/sign-ins/sign-ins.records.ts';
import { closeBrowserSession, openBrowserSession } from '../../operations/registration/browser-sessions.ts';
import { browserName } from '../../services/browser-name.ts';
import type { Services } from '../../services/services.ts';
import type { RawContext } from '../http/context.ts';
import { type Browser, noSessionCookie, sessionCookieOf } from './browser.ts';
import { accountContext } from './own-form.ts';

type Headers = Readonly<Record<string, string>>;

/** Signs the browser in; the answer must include the header. `way`: how the account has signed in, unless it just signed up. */
export async function openSession(
  context: RawContext<Services>,
  { id, login }: LocalAccount,
  way?: SignInSource['way'],
): Promise<Headers> {
  const passwordMark = passwordMarkOf(login);
  const userAgent = context.request.header('user-agent');
  const opened = { passwordMark, browser: browserName(userAgent), way, userAgent };
  const { secret } = await openBrowserSession(accountContext(context, id), opened);
  return sessionCookieOf(context.request, secret);
}

/** Signs the browser out; the answer must include the header. */
export async function closeSession(
  context: RawContext<Services>,
  { account, barred, secret }: Browser,
): Promise<Headers> {
  const signedIn = account ?? barred;
  if (signedIn !== undefined) await closeBrowserSession(accountContext(context, signedIn.id), { secret });
  return noSessionCookie(context.request);
}
