/** Signing up, by the API and by the page. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountIdOfEmail } from '../../../../src/actors/directory/directory.queries.ts';
import { Instance, instanceKey, type RegistrationMode } from '../../../../src/actors/instance/instance.messages.ts';
import type { TestGateway } from '../../../support/gateway.ts';
import { addPerson, Browser, changeLogin, registerClient, startGateway } from '../../oauth/people.ts';

let gateway: TestGateway;
let appToken: string;

beforeEach(async () => {
  gateway = startGateway();
  appToken = await tokenOfApplication('read write');
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function tokenOfApplication(scope: string): Promise<string> {
  const client = await registerClient(gateway);
  const { body } = await gateway.json('/oauth/token', { form: { grant_type: 'client_credentials', ...client, scope } });
  return String(body.access_token);
}

const bob = {
  username: 'bob',
  email: 'bob@example.org',
  password: 'a good password',
  agreement: 'true',
  locale: 'de',
};
const signUp = (changes: Readonly<Record<string, string>> = {}, token = appToken) =>
  gateway.json('/api/v1/accounts', { form: { ...bob, ...changes }, token });
const setMode = (registrations: RegistrationMode) =>
  gateway.actors.call(Instance.changeSettings.to(instanceKey, { registrations }));

describe('POST /api/v1/accounts', () => {
  test('answers with a token of the new account', async () => {
    const { status, body } = await signUp();
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      scope: 'read write',
      created_at: Math.floor(gateway.actors.clock.now() / 1000),
    });
    const token = String(body.access_token);
    expect((await gateway.json('/oauth/userinfo', { token })).body).toMatchObject({ preferred_username: 'bob' });
    expect((await gateway.json('/api/v1/apps/verify_credentials', { token })).body).toMatchObject({ name: 'An app' });
  });

  test('takes the token of a user as well', async () => {
    const { body } = await signUp();
    const carol = { username: 'carol', email: 'carol@example.org' };
    expect(await signUp(carol, String(body.access_token))).toMatchObject({ status: 200 });
  });

  test('says of an empty form what each field lacks', async () => {
    const empty = { username: '', email: '', password: '', agreement: '', locale: '' };
    expect(await gateway.json('/api/v1/accounts', { form: empty, token: appToken })).toEqual({
      status: 422,
      body: {
        error:
          "Validation failed: Username can't be blank, Email can't be blank, Email is invalid, " +
          "Password can't be blank, Agreement must be accepted",
        details: {
          username: [{ error: 'ERR_BLANK', description: "can't be blank" }],
          email: [
            { error: 'ERR_BLANK', description: "can't be blank" },
            { error: 'ERR_INVALID', description: 'is invalid' },
          ],
          password: [{ error: 'ERR_BLANK', description: "can't be blank" }],
          agreement: [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }],
        },
      },
    });
  });

  test.each([
    ['username', 'bob!', 'ERR_INVALID'],
    ['username', 'bob@example.org', 'ERR_INVALID'],
    ['username', 'böb', 'ERR_INVALID'],
    ['username', 'b'.repeat(31), 'ERR_TOO_LONG'],
    ['username', 'Admin', 'ERR_RESERVED'],
    ['username', 'ALICE', 'ERR_TAKEN'],
    ['email', 'bob', 'ERR_INVALID'],
    ['email', 'bob@localhost', 'ERR_INVALID'],
    ['email', 'b b@example.org', 'ERR_INVALID'],
    ['email', 'Alice@Example.org', 'ERR_TAKEN'],
    ['email', `${'b'.repeat(250)}@example.org`, 'ERR_TOO_LONG'],
    ['password', 'short12', 'ERR_TOO_SHORT'],
    ['password', 'ä'.repeat(37), 'ERR_TOO_LONG'],
    ['agreement', 'false', 'ERR_ACCEPTED'],
    ['reason', 'r'.repeat(2001), 'ERR_TOO_LONG'],
  ])('refuses the %s %s with %s', async (field, value, error) => {
    await addPerson(gateway, 'alice');
    const { status, body } = await signUp({ [field]: value });
    expect([status, body.details]).toEqual([422, { [field]: [expect.objectContaining({ error })] }]);
  });

  test.each([
    ['no token', undefined, 401],
    ['a token that may only read', 'read', 403],
  ])('is refused with %s', async (_name, scope, status) => {
    const token = scope === undefined ? '' : await tokenOfApplication(scope);
    expect((await gateway.json('/api/v1/accounts', { form: bob, ...(token === '' ? {} : { token }) })).status).toBe(
      status,
    );
  });

  test('is refused where registrations are closed, and open again when they are', async () => {
    await setMode('closed');
    expect(await signUp()).toEqual({ status: 403, body: { error: 'This action is not allowed' } });
    await setMode('open');
    expect((await signUp()).status).toBe(200);
  });

  test('makes an account that waits where registrations need approval', async () => {
    await setMode('approval');
    const { status, body } = await signUp({ reason: 'I like birds' });
    expect(status).toBe(200);
    const token = String(body.access_token);
    expect(await gateway.json('/api/v1/preferences', { token })).toEqual({
      status: 403,
      body: { error: 'Your login is currently pending approval' },
    });
  });

  test('asks for a reason where staff want one', async () => {
    await setMode('approval');
    await gateway.actors.call(Instance.changeSettings.to(instanceKey, { reasonRequired: true }));
    for (const reason of ['', ' \n'])
      expect(await signUp({ reason })).toMatchObject({
        status: 422,
        body: { details: { reason: [{ error: 'ERR_BLANK' }] } },
      });
    expect((await signUp({ reason: 'I like birds' })).status).toBe(200);
    await setMode('open');
    expect((await signUp({ username: 'carol', email: 'carol@example.org' })).status).toBe(200);
  });

  test('is limited by address', async () => {
    await gateway.close();
    gateway = startGateway({ rateLimits: true });
    appToken = await tokenOfApplication('write');
    for (let number = 0; number < 5; number += 1) {
      expect((await signUp({ username: `b${number}`, email: `b${number}@example.org` })).status).toBe(200);
    }
    expect((await signUp()).status).toBe(429);
  });
});

describe('two people at the same moment', () => {
  test.each([
    ['one name', { email: 'other@example.org' }, { username: [expect.objectContaining({ error: 'ERR_TAKEN' })] }],
    ['one address', { username: 'other' }, { email: [expect.objectContaining({ error: 'ERR_TAKEN' })] }],
  ])('for %s: one gets it', async (_name, changes, details) => {
    const answers = await Promise.all([signUp(), signUp(changes)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.details).toEqual(details);
  });
});

describe('the page', () => {
  const fields = { username: 'bob', email: 'bob@example.org', password: 'a good password', agreement: 'true' };

  test('signs up and in, and leads on', async () => {
    const browser = new Browser(gateway);
    await browser.open('/auth/sign_up?return_to=%2Fauth%2Fsign_out');
    const response = await browser.submit(fields);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/auth/sign_out']);
    await browser.open('/auth/sign_out');
    expect(browser.text).toContain('@bob');
  });

  test('says what is wrong and keeps what was written, but for the password', async () => {
    const browser = new Browser(gateway);
    await browser.open('/auth/sign_up');
    const response = await browser.submit({ ...fields, username: '<b>"bob"</b>' });
    expect(response.status).toBe(422);
    expect(browser.text).toContain(
      '<p class="wrong" id="username-problem">Only letters, digits and underscores can be used.</p>',
    );
    expect(browser.text).toContain('aria-describedby="username-hint username-problem" aria-invalid="true"');
    expect(browser.text.match(/class="wrong"/g)).toHaveLength(1);
    expect(browser.text).toContain('name="agreement" value="true" required checked>');
    expect(browser.text).toContain('value="&lt;b&gt;&quot;bob&quot;&lt;/b&gt;"');
    expect(browser.text).not.toContain('a good password');
  });

  test('marks each field that is wrong, by itself', async () => {
    await addPerson(gateway, 'bob');
    const browser = new Browser(gateway);
    await browser.open('/auth/sign_up');
    await browser.submit({ username: 'BOB', email: 'bob@example.org', password: 'short', agreement: '' });
    const problems = [...browser.text.matchAll(/<p class="wrong"[^>]*>([^<]+)</g)].map(([, words]) => words);
    expect(problems).toEqual([
      'This is taken already.',
      'This is taken already.',
      'This is too short: there must be at least 8 characters.',
      'Please agree to this.',
    ]);
  });

  test('shows the rules that it asks to agree to', async () => {
    const browser = new Browser(gateway);
    await browser.open('/auth/sign_up');
    expect(browser.text).not.toContain('Rules of this server');
    const rules = [{ id: '1', text: 'Be <kind>', hint: 'Also on Mondays' }];
    await gateway.actors.call(Instance.changeSettings.to(instanceKey, { rules }));
    await browser.open('/auth/sign_up');
    expect(browser.text).toContain('<li dir="auto">Be &lt;kind&gt;<p>Also on Mondays</p></li>');
    expect(browser.text).toContain('I agree to these rules');
  });

  test('tells who has to wait', async () => {
    await setMode('approval');
    const browser = new Browser(gateway);
    await browser.open('/auth/sign_up');
    expect(browser.text).toContain('name="reason"');
    const response = await browser.submit({ ...fields, reason: 'birds' });
    expect([response.status, browser.cookies.has('murmuration_session')]).toEqual([200, false]);
    expect(browser.text).toContain('somebody of the staff');
  });

  test('is closed where registrations are', async () => {
    await setMode('closed');
    expect((await new Browser(gateway).open('/auth/sign_up')).status).toBe(403);
  });
});

test('an account that was let in may be used', async () => {
  await setMode('approval');
  const { body } = await signUp();
  const token = String(body.access_token);
  expect((await gateway.fetch('/api/v1/preferences', { token })).status).toBe(403);
  await changeLogin(gateway, accountIdOfEmail(gateway.actors.read, bob.email)!, { approved: true });
  expect((await gateway.fetch('/api/v1/preferences', { token })).status).toBe(200);
});
