/** Signs a browser in and out: the session, the cookie with its secret, and that with the marks of accounts. */
import { isBarred, type LocalAccount, passwordMarkOf } from '../../actors/account/profile/logins.queries.ts';
import type { SignInSource } from '../../actors/account/sign-ins/sign-ins.records.ts';
import { closeBrowserSession, openBrowserSession } from '../../operations/registration/browser-sessions.ts';
import type { Id } from '../../runtime/ids.ts';
import { browserName } from '../../services/browser-name.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { type DeviceLevel, deviceKey, knownDevice, withDevice } from '../../services/known-devices.ts';
import type { Services } from '../../services/services.ts';
import type { RawContext } from '../http/context.ts';
import { pathOfBarred } from '../pages/parts/links.ts';
import {
  type Browser,
  cookieHeaders,
  devicesCookieOf,
  devicesOf,
  noSessionCookie,
  sessionCookieOf,
} from './browser.ts';
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
  const session = sessionCookieOf(context.request, secret)['Set-Cookie'];
  const level = way === 'secondFactor' || way === 'passkey' ? 'twoFactor' : 'password';
  return cookieHeaders(session, await rememberDevice(context, id, level));
}

/** Where a sign-in leads: whoever may use nothing sees why, and what can be done. */
export function whereTo(account: LocalAccount, returnTo: string): string {
  return isBarred(account) ? pathOfBarred(account) : returnTo;
}

/** The cookie by which the browser is known as one of this account; undefined where it is already. */
export async function rememberDevice(
  { request, services }: RawContext<Services>,
  accountId: Id,
  level: DeviceLevel,
): Promise<string | undefined> {
  const key = deviceKey(await secretsOf(services));
  const marks = devicesOf(request);
  const known = knownDevice(key, accountId, marks);
  if (known !== undefined && (known.level === level || known.level === 'twoFactor')) return undefined;
  return devicesCookieOf(request, withDevice(key, accountId, level, marks));
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
