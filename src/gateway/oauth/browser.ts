/**
 * Browsers: who is signed in, by a cookie whose secret is stored as a digest only, and forms that no other site can
 * send in a user's name.
 *
 * A form contains a token derived from a cookie of the browser that requested it: the session's, or before signing in a
 * random one given with the form. `Sec-Fetch-Site` is checked too, so that a site under the same domain, which could
 * set cookies, cannot send it either.
 */
import { createHmac } from 'node:crypto';
import {
  findLocalAccount,
  isBarred,
  type LocalAccount,
  loginStateOf,
  passwordMarkOf,
} from '../../actors/account/profile/logins.queries.ts';
import { sessionLimits } from '../../actors/session/limits.ts';
import { browserSessionOf } from '../../actors/session/session.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { drawSecret, sameText } from '../../services/secrets.ts';
import type { Services } from '../../services/services.ts';
import type { IncomingRequest } from '../http/request.ts';

const sessionCookie = 'murmuration_session';
const visitorCookie = 'murmuration_visitor';
const devicesCookie = 'murmuration_devices';
const secretPattern = /^[A-Za-z0-9_-]{43}$/;
/** Marks of some accounts, joined. */
const devicesPattern = /^[A-Za-z0-9_.~-]{1,512}$/;
/** As long as browsers keep any cookie. */
const devicesSeconds = 400 * 24 * 60 * 60;

type BrowserRequest = Pick<IncomingRequest, 'origin'>;

export interface Browser {
  /** Undefined for a visitor who is not signed in, or whose login or password has changed since. */
  readonly account: LocalAccount | undefined;
  /** Signed in, but disabled or suspended by staff: it is shown that, and nothing else that asks who visits. */
  readonly barred?: LocalAccount;
  /** Days since 1970, of the session of a signed-in account. */
  readonly lastUsedDay?: number;
  /** The secret to which the browser's forms are bound. */
  readonly secret: string;
  /** Set when the secret is new: the header that gives it to the browser. */
  readonly cookie: Readonly<Record<string, string>>;
}

export function browserOf(services: Services, request: Pick<IncomingRequest, 'header' | 'origin'>): Browser {
  const cookies = request.header('cookie') ?? '';
  const session = cookieIn(cookies, sessionCookie, secretPattern);
  const signedIn = session === undefined ? undefined : accountOfSession(services, session);
  if (session !== undefined && signedIn !== undefined) return { ...signedIn, secret: session, cookie: {} };
  const visitor = cookieIn(cookies, visitorCookie, secretPattern);
  if (visitor !== undefined) return { account: undefined, secret: visitor, cookie: {} };
  const secret = drawSecret();
  return { account: undefined, secret, cookie: setCookie(request, visitorCookie, secret, undefined) };
}

function cookieIn(cookies: string, name: string, pattern: RegExp): string | undefined {
  for (const pair of cookies.split(';')) {
    const [key, value = ''] = pair.trim().split('=');
    if (key === name && pattern.test(value)) return value;
  }
  return undefined;
}

/** The marks of accounts that signed in here before (services/known-devices.ts). */
export function devicesOf(request: Pick<IncomingRequest, 'header'>): string | undefined {
  return cookieIn(request.header('cookie') ?? '', devicesCookie, devicesPattern);
}

function accountOfSession({ snapshots, now }: Services, secret: string) {
  const session = browserSessionOf(snapshots, secret, now());
  const account = session === undefined ? undefined : findLocalAccount(snapshots, session.accountId);
  if (session === undefined || account === undefined) return undefined;
  if (passwordMarkOf(account.login) !== session.passwordMark) return undefined;
  const { lastUsedDay } = session;
  if (loginStateOf(account) === 'active') return { account, lastUsedDay };
  return isBarred(account) ? { account: undefined, barred: account, lastUsedDay } : undefined;
}

/** The header that gives a browser the secret of its session. */
export function sessionCookieOf(request: BrowserRequest, secret: string) {
  return setCookie(request, sessionCookie, secret, sessionLimits.browserSessionMilliseconds / 1000);
}

/** The header that removes it. */
export function noSessionCookie(request: BrowserRequest) {
  return setCookie(request, sessionCookie, '', 0);
}

/** The cookie that gives it the marks of accounts. */
export function devicesCookieOf(request: BrowserRequest, marks: string): string {
  return setCookie(request, devicesCookie, marks, devicesSeconds)['Set-Cookie'];
}

/** Two cookies as headers: their names are the same to every reader, and differ in case to be two keys here. */
export function cookieHeaders(first?: string, second?: string): Readonly<Record<string, string>> {
  return { ...(first !== undefined && { 'Set-Cookie': first }), ...(second !== undefined && { 'set-cookie': second }) };
}

/** Without an age the cookie ends with the browser session. */
function setCookie({ origin }: BrowserRequest, name: string, value: string, ageSeconds: number | undefined) {
  const secure = origin.startsWith('https://') ? '; Secure' : '';
  const age = ageSeconds === undefined ? '' : `; Max-Age=${ageSeconds}`;
  return { 'Set-Cookie': `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure}` };
}

/** The value of `form_token` in a form of this browser. */
export function formToken(formSecret: string, browser: Browser): string {
  return createHmac('sha256', formSecret).update(browser.secret).digest('base64url');
}

/** Throws Failure forbidden for a form that this browser did not get from here. */
export function demandFormToken(
  formSecret: string,
  browser: Browser,
  request: Pick<IncomingRequest, 'header'>,
  given: string | undefined,
): void {
  const site = request.header('sec-fetch-site');
  const sameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (!sameSite || given === undefined || !sameText(given, formToken(formSecret, browser))) {
    throw new Failure('forbidden', { text: 'This form has expired', reason: 'formExpired' });
  }
}
