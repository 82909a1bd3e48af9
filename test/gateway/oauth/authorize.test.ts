/** The whole OAuth flow of a user: sign in, consent, code, token. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signInsOf } from '../../../src/actors/account/sign-ins/sign-ins.queries.ts';
import { nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import type { TestGateway } from '../../support/gateway.ts';
import {
  addPerson,
  authorizePath,
  Browser,
  changeLogin,
  locationOf,
  type RegisteredClient,
  redirectUri,
  registerClient,
  signInFields,
  startGateway,
} from './people.ts';

let gateway: TestGateway;
let client: RegisteredClient;
let browser: Browser;
let alice: bigint;

beforeEach(async () => {
  gateway = startGateway();
  client = await registerClient(gateway);
  alice = await addPerson(gateway, 'alice');
  browser = new Browser(gateway);
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function signIn(username = 'alice'): Promise<void> {
  await browser.open('/auth/sign_in');
  const response = await browser.submit(signInFields(username));
  expect(response.status).toBe(303);
}

async function authorize(changes: Readonly<Record<string, string>> = {}): Promise<URL> {
  await browser.open(authorizePath(client, changes));
  return locationOf(await browser.submit({ decision: 'authorize' }));
}

const exchange = (code: string, changes: Readonly<Record<string, string>> = {}) =>
  gateway.json('/oauth/token', {
    form: { grant_type: 'authorization_code', ...client, redirect_uri: redirectUri, code, ...changes },
  });

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

test('from the client to a token, with PKCE and a sign-in on the way', async () => {
  const path = authorizePath(client, { ...pkce, state: 'a state, with=signs&more' });
  const shown = await browser.open(path.replace('/oauth/authorize?', '/oauth/authorize/?'));
  expect(shown.status).toBe(200);
  expect(browser.text).toContain('An app');
  const signedIn = await browser.submit(signInFields('alice'));
  expect(signedIn.status).toBe(303);
  await browser.open(signedIn.headers.get('location')!);
  expect(browser.text).toContain('@alice');
  const back = locationOf(await browser.submit({ decision: 'authorize' }));
  expect(back.href).toMatch(/^https:\/\/app\.example\/callback\?from=here&code=[\w-]{43}&state=/);
  expect(back.searchParams.get('state')).toBe('a state, with=signs&more');

  const code = back.searchParams.get('code')!;
  const { status, body } = await exchange(code, { code_verifier: verifier });
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'Bearer',
    scope: 'read write',
    created_at: Math.floor(gateway.actors.clock.now() / 1000),
  });
  const info = await gateway.json('/oauth/userinfo', { token: String(body.access_token) });
  expect(info.body).toEqual({
    iss: 'https://social.example/',
    sub: 'https://social.example/users/alice',
    name: 'alice',
    preferred_username: 'alice',
    profile: 'https://social.example/@alice',
    picture: expect.stringMatching(/^https:\/\/social\.example\/avatars\/\d+\.png$/),
  });

  const alice = accountIdOfName(gateway.actors.read, nameOfHandle('alice', undefined))!;
  const history = signInsOf(gateway.actors.read, alice, { limit: 5 }).items;
  expect(history).toMatchObject([
    { way: 'token', address: '127.0.0.1', clientId: client.client_id },
    { way: 'password', address: '127.0.0.1', succeeded: true },
  ]);

  // The code was used: whoever brings it again gets nothing, and takes the first token along.
  expect(await exchange(code, { code_verifier: verifier })).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect((await gateway.fetch('/oauth/userinfo', { token: String(body.access_token) })).status).toBe(401);
});

test('a verifier without a value counts as not given (RFC 6749 section 3.2)', async () => {
  await signIn();
  const code = (await authorize()).searchParams.get('code')!;
  expect(await exchange(code, { code_verifier: '' })).toMatchObject({ status: 200 });
});

describe('a code is refused', () => {
  test.each([
    ['without its verifier', {}, 'invalid_grant', 400],
    ['with an empty verifier', { code_verifier: '' }, 'invalid_grant', 400],
    ['with another verifier', { code_verifier: `${verifier}x` }, 'invalid_grant', 400],
    [
      'for another address',
      { code_verifier: verifier, redirect_uri: 'https://app.example/callback' },
      'invalid_grant',
      400,
    ],
    ['with a wrong secret', { code_verifier: verifier, client_secret: 'wrong' }, 'invalid_client', 401],
    ['without an address', { code_verifier: verifier, redirect_uri: '' }, 'invalid_request', 400],
  ])('%s', async (_name, changes, error, status) => {
    await signIn();
    const code = (await authorize(pkce)).searchParams.get('code')!;
    expect(await exchange(code, changes)).toMatchObject({ status, body: { error } });
    expect(await exchange(code, { code_verifier: verifier })).toMatchObject({ status: 200 });
  });

  test('to another application', async () => {
    await signIn();
    const code = (await authorize()).searchParams.get('code')!;
    const other = await registerClient(gateway);
    expect(await exchange(code, { ...other })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('after ten minutes', async () => {
    await signIn();
    const code = (await authorize()).searchParams.get('code')!;
    gateway.actors.clock.advance(10 * 60 * 1000);
    expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('the person', () => {
  test('may deny', async () => {
    await signIn();
    await browser.open(authorizePath(client, { state: 'x' }));
    const back = locationOf(await browser.submit({ decision: 'deny' }));
    expect(back.origin).toBe('https://app.example');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'x', from: 'here' });
  });

  test('may deny by DELETE as well', async () => {
    await signIn();
    await browser.open(authorizePath(client, { state: 'x' }));
    const back = locationOf(await browser.submit({}, {}, 'DELETE'));
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'x' });
  });

  test('is asked to sign in again when the client wants it, once', async () => {
    await addPerson(gateway, 'bob');
    await signIn();
    await browser.open(authorizePath(client, { force_login: 'true' }));
    expect(browser.text).toContain('type="password"');
    const signedIn = await browser.submit(signInFields('bob'));
    await browser.open(signedIn.headers.get('location')!);
    expect(browser.text).toContain('@bob');
  });

  test('reads the code where there is no address to send it to', async () => {
    client = await registerClient(gateway, { redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' });
    await signIn();
    await browser.open(authorizePath(client, { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' }));
    expect(browser.text).toContain('<p>You are then shown a code to copy into An app.</p>');
    const shown = await authorize({ redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' });
    expect(shown.pathname).toBe('/oauth/authorize/native');
    await browser.open(`${shown.pathname}${shown.search}`);
    expect(browser.text).toContain(`<code>${shown.searchParams.get('code')}</code>`);
    expect(
      await exchange(shown.searchParams.get('code')!, { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' }),
    ).toMatchObject({ status: 200 });
  });

  test('never sees a code that is markup', async () => {
    const response = await browser.open('/oauth/authorize/native?code=%3Cscript%3E');
    expect(response.status).toBe(404);
    expect(browser.text).not.toContain('<script>');
  });
});

describe('a request is shown to the person and never sent back', () => {
  test.each([
    ['from an unknown application', { client_id: 'unknown' }, 401],
    ['for an address that is not registered', { redirect_uri: 'https://evil.example/' }, 400],
    ['for a part of a registered address', { redirect_uri: 'https://app.example/callback' }, 400],
  ])('%s', async (_name, changes, status) => {
    await signIn();
    const response = await browser.open(authorizePath(client, changes));
    expect([response.status, response.headers.get('location')]).toEqual([status, null]);
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});

describe('a request is refused, and the person may take the error back to the application', () => {
  test.each([
    ['for another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['for a scope that is more than the application has', { scope: 'read push' }, 'invalid_scope'],
    ['for a scope that does not exist', { scope: 'everything' }, 'invalid_scope'],
    ['for the plain challenge', { code_challenge: verifier, code_challenge_method: 'plain' }, 'invalid_request'],
    ['for a challenge without a method', { code_challenge: verifier }, 'invalid_request'],
  ])('%s', async (_name, changes, error) => {
    const response = await browser.open(authorizePath(client, { state: 'x', ...changes }));
    // Anybody may register an application: nobody is sent to its address by a mere link to this server.
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    const address = /href="(https:\/\/app[^"]+)"/.exec(browser.text)![1]!.replaceAll('&amp;', '&');
    const back = new URL(address);
    expect(back.origin).toBe('https://app.example');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state: 'x' });
  });
});

test('an application with an address of its own scheme gets its code there', async () => {
  client = await registerClient(gateway, { redirect_uris: 'myapp://oauth' });
  await signIn();
  expect((await authorize({ redirect_uri: 'myapp://oauth' })).href).toMatch(/^myapp:\/\/oauth\?code=[\w-]{43}$/);
});

describe('forms', () => {
  test('of another browser are refused', async () => {
    await signIn();
    await browser.open(authorizePath(client));
    const mallory = new Browser(gateway);
    await mallory.open('/auth/sign_in');
    const token = /name="form_token" value="([^"]+)"/.exec(mallory.text)![1]!;
    expect((await browser.submit({ decision: 'authorize', form_token: token })).status).toBe(403);
    expect((await browser.open(authorizePath(client))).status).toBe(200);
    expect((await browser.submit({ decision: 'authorize', form_token: '' })).status).toBe(403);
  });

  test('sent from another site are refused', async () => {
    await signIn();
    await browser.open(authorizePath(client));
    expect((await browser.submit({ decision: 'authorize' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test('lead nowhere but to this server', async () => {
    for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'evil']) {
      await browser.open(`/auth/sign_in?${new URLSearchParams({ return_to: elsewhere })}`);
      expect((await browser.submit(signInFields('alice'))).headers.get('location')).toBe('/');
      browser.cookies.clear();
    }
  });

  test('that came after a session had ended are said to have done nothing', async () => {
    await browser.open('/auth/sign_in?return_to=%2Fadmin&unsent=1');
    expect(browser.text).toContain('You were not signed in any more, so nothing was done.');
    expect((await browser.submit(signInFields('alice'))).headers.get('location')).toBe('/admin');
  });

  test('are pages that others can neither frame nor script, and that open as a pop-up', async () => {
    const response = await browser.open(authorizePath(client));
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.has('cross-origin-opener-policy')).toBe(false);
  });
});

describe('a session', () => {
  test('is a cookie that scripts and other sites do not get', async () => {
    await browser.open('/auth/sign_in');
    const response = await browser.submit(signInFields('alice'));
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^murmuration_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure$/,
      ),
      expect.stringMatching(
        /^murmuration_devices=\d+\.password\.[\w-]{16}\.[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000; Secure$/,
      ),
    ]);
  });

  test.each([
    ['a wrong password', { password: 'wrong horse battery' }],
    ['an unknown address', { email: 'nobody@example.org' }],
    ['nothing', { email: '', password: '' }],
  ])('is not opened with %s', async (_name, changes) => {
    await browser.open('/auth/sign_in');
    const response = await browser.submit({ ...signInFields('alice'), ...changes });
    expect([response.status, browser.cookies.has('murmuration_session')]).toEqual([422, false]);
    expect(browser.text).toContain('The e-mail address or the password is wrong.');
  });

  test.each([
    ['pending', { approved: false }, 'Your account waits'],
    ['unconfirmed', { confirmed: false }, 'Your e-mail address is not confirmed yet.'],
  ])('is not opened for an account that is %s, and ends with it', async (_name, change, sentence) => {
    await signIn();
    await changeLogin(gateway, alice, change);
    await browser.open(authorizePath(client));
    expect(browser.text).toContain('type="password"');
    const response = await browser.submit(signInFields('alice'));
    expect(response.status).toBe(422);
    expect(browser.text).toContain(sentence);
  });

  test.each([
    ['suspended', { suspended: true }],
    ['disabled', { disabled: true }],
  ])('of an account that is %s authorizes nothing, and shows only what was decided', async (_name, change) => {
    await signIn();
    await changeLogin(gateway, alice, change);
    await browser.open(authorizePath(client));
    expect(browser.text).toContain('type="password"');
    const { status, headers } = await browser.submit(signInFields('alice'));
    expect([status, headers.get('location')]).toEqual([303, '/disputes/strikes']);
    await browser.open(authorizePath(client));
    expect(browser.text).toContain('type="password"');
    await browser.open('/auth/sign_out');
    expect(browser.text).toContain('@alice');
    await browser.submit({});
    expect(browser.cookies.has('murmuration_session')).toBe(false);
  });

  test('ends with the password that opened it', async () => {
    await signIn();
    await changeLogin(gateway, alice, { passwordHash: 'another' });
    await browser.open(authorizePath(client));
    expect(browser.text).toContain('type="password"');
  });

  test('ends when the person signs out, in every copy of the cookie', async () => {
    await signIn();
    const copy = browser.cookies.get('murmuration_session')!;
    await browser.open('/auth/sign_out');
    expect(browser.text).toContain('@alice');
    await browser.submit({});
    expect(browser.cookies.has('murmuration_session')).toBe(false);
    browser.cookies.set('murmuration_session', copy);
    await browser.open(authorizePath(client));
    expect(browser.text).toContain('type="password"');
  });
});
