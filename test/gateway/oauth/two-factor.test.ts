/** Signing in with two steps, and who tries to get around the second one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { twoFactorOf } from '../../../src/actors/account/two-factor/two-factor.queries.ts';
import { mailLog } from '../../../src/actors/partition/mails.state.ts';
import { applicationOfClient } from '../../../src/actors/session/session.queries.ts';
import { issueToken } from '../../../src/operations/applications/issue-token.ts';
import { operationRateLimits } from '../../../src/operations/rate-limits.ts';
import { type AuthenticatorApp, setUpApp } from '../../support/authenticator-app.ts';
import type { TestGateway } from '../../support/gateway.ts';
import {
  addPerson,
  authorizePath,
  Browser,
  changeLogin,
  locationOf,
  password,
  registerClient,
  signInFields,
  startGateway,
} from './people.ts';

let gateway: TestGateway;
let alice: bigint;
let app: AuthenticatorApp;
let recoveryCodes: readonly string[];
let browser: Browser;

const minute = 60_000;
const now = () => gateway.actors.clock.now();
const account = (username: string, id: bigint) => ({ id, username, password });

beforeEach(async () => {
  gateway = startGateway({
    environment: { MURMURATION_SMTP_URL: 'smtp://mail.example', MURMURATION_OAUTH_PASSWORD_GRANT: 'on' },
    rateLimits: true,
    isBehindProxy: true,
  });
  alice = await addPerson(gateway, 'alice');
  ({ app, recoveryCodes } = await setUpApp(gateway.services, account('alice', alice)));
  browser = new Browser(gateway);
  gateway.actors.clock.advance(minute);
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

/** The first step. */
async function knock(who: Browser = browser, username = 'alice'): Promise<void> {
  await who.open('/auth/sign_in');
  expect((await who.submit(signInFields(username))).status).toBe(200);
  expect(who.text).toContain('action="/auth/sign_in/code"');
}

const give = (code: string, who: Browser = browser) => who.submit({ code });

async function isSignedIn(who: Browser = browser): Promise<boolean> {
  await who.open('/auth/sign_out');
  return who.text.includes('@alice');
}

const changesTold = () => {
  gateway.actors.settle();
  return gateway.actors.read.partitions.flatMap((reader) =>
    Array.from(reader.range(mailLog, []), ({ value: { content } }) =>
      'change' in content ? content.change : content.kind,
    ),
  );
};

test('the password alone opens nothing; with the code of the app it goes on to where the application asked', async () => {
  const client = await registerClient(gateway);
  await browser.open(authorizePath(client, { state: 'here' }));
  expect((await browser.submit(signInFields('alice'))).status).toBe(200);
  expect(browser.cookies.has('murmuration_session')).toBe(false);
  const passed = await give(` ${app.code(now()).replace(/^.../, '$& ')} `);
  expect(passed.status).toBe(303);
  await browser.open(passed.headers.get('location')!);
  const back = locationOf(await browser.submit({ decision: 'authorize' }));
  expect([back.searchParams.get('state'), back.searchParams.has('code')]).toEqual(['here', true]);
});

test('a wrong code is refused, and told by mail at most once an hour', async () => {
  await knock();
  for (const code of ['000000', '', 'aaaa-bbbb-cccc-dddd', recoveryCodes[0]!.slice(0, -1)])
    expect((await give(code)).status).toBe(422);
  expect(await isSignedIn()).toBe(false);
  expect(changesTold()).toEqual(['twoFactorEnabled', 'secondFactorFailed']);
  gateway.actors.clock.advance(61 * minute);
  await knock();
  await give('000000');
  expect(changesTold()).toEqual(['twoFactorEnabled', 'secondFactorFailed', 'secondFactorFailed']);
});

test('a code signs in once: neither it nor an older one is taken again', async () => {
  const [code, before] = [app.code(now()), app.code(now() - minute / 2)];
  await knock();
  expect((await give(code)).status).toBe(303);
  const other = new Browser(gateway);
  await knock(other);
  expect([(await give(code, other)).status, (await give(before, other)).status]).toEqual([422, 422]);
  expect((await give(app.code(now() + minute / 2), other)).status).toBe(303);
});

test('two sign-ins at once with the same code: one of them', async () => {
  const code = app.code(now());
  const [one, other] = [new Browser(gateway), new Browser(gateway)];
  await knock(one);
  await knock(other);
  const answers = await Promise.all([give(code, one), give(code, other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
});

test('a recovery code signs in once, however it is typed', async () => {
  await knock();
  expect((await give(` ${recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(303);
  expect(twoFactorOf(gateway.actors.read, alice)!.recoveryCodes).toHaveLength(9);
  const other = new Browser(gateway);
  await knock(other);
  expect((await give(recoveryCodes[3]!, other)).status).toBe(422);
});

test('nothing stored tells a code or the secret', async () => {
  const stored = JSON.stringify(twoFactorOf(gateway.actors.read, alice));
  for (const code of recoveryCodes) expect(stored).not.toContain(code);
  expect(stored).not.toContain(app.code(now()));
});

describe('the ticket of the first step', () => {
  /** Sends the second form with another ticket, browser or token. */
  const post = (form: Readonly<Record<string, string>>, who = browser) =>
    gateway.fetch('/auth/sign_in/code', {
      method: 'POST',
      form,
      headers: { cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
  const hiddenIn = (who: Browser, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(who.text)![1]!;
  const fieldsOf = (who: Browser) => ({
    form_token: hiddenIn(who, 'form_token'),
    ticket: hiddenIn(who, 'ticket'),
    code: app.code(now()),
  });

  test.each([
    ['is missing', (): string => ''],
    ['is forged', (ticket: string) => `${ticket.slice(0, -4)}AAAA`],
    ['names another account', (ticket: string) => ticket.replace(/^\d+/, '77')],
    ['ends later', (ticket: string) => ticket.replace(/\.\d+\./, '.9999999999999.')],
  ])('that %s opens nothing', async (_what, forge) => {
    await knock();
    const fields = fieldsOf(browser);
    const answer = await post({ ...fields, ticket: forge(fields.ticket) });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect((await post(fields)).status).toBe(303);
  });

  test('is of one browser', async () => {
    await knock();
    const thief = new Browser(gateway);
    await thief.open('/auth/sign_in');
    const { ticket, code } = fieldsOf(browser);
    expect((await post({ form_token: hiddenIn(thief, 'form_token'), ticket, code }, thief)).status).toBe(401);
  });

  test('of another account does not take the code of this one', async () => {
    const mallory = await addPerson(gateway, 'mallory');
    await setUpApp(gateway.services, account('mallory', mallory));
    const thief = new Browser(gateway);
    await knock(thief, 'mallory');
    expect((await give(app.code(now()), thief)).status).toBe(422);
    expect((await give(recoveryCodes[0]!, thief)).status).toBe(422);
  });

  test('holds for ten minutes, and not after a new password', async () => {
    await knock();
    const late = fieldsOf(browser);
    gateway.actors.clock.advance(10 * minute);
    expect((await post({ ...late, code: app.code(now()) })).status).toBe(401);
    await knock();
    const early = fieldsOf(browser);
    await changeLogin(gateway, alice, { passwordHash: 'another' });
    expect((await post(early)).status).toBe(401);
  });

  test('leads to what staff have decided, once the account is disabled', async () => {
    await knock();
    const fields = fieldsOf(browser);
    await changeLogin(gateway, alice, { disabled: true });
    const answer = await post({ ...fields, return_to: '/settings' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/disputes/strikes']);
  });

  test('comes with a form of this server only', async () => {
    await knock();
    const fields = fieldsOf(browser);
    expect((await post({ ...fields, form_token: 'guessed' })).status).toBe(403);
    const { form_token: _none, ...without } = fields;
    expect((await post(without)).status).toBe(403);
  });
});

test('the password grant is refused, and a wrong password is answered as for every account', async () => {
  const client = await registerClient(gateway);
  await addPerson(gateway, 'bob');
  const grant = (username: string, given: string) =>
    gateway.json('/oauth/token', {
      form: { grant_type: 'password', ...client, username: `${username}@example.org`, password: given, scope: 'read' },
    });
  expect(await grant('alice', password)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await grant('bob', password)).toMatchObject({ status: 200 });
  const [guarded, plain] = [await grant('alice', 'wrong password'), await grant('bob', 'wrong password')];
  expect(guarded).toEqual(plain);
});

test('who does not know the password does not learn that there is a second step', async () => {
  await addPerson(gateway, 'bob');
  const seen = async (username: string) => {
    const stranger = new Browser(gateway);
    await stranger.open('/auth/sign_in');
    const { status } = await stranger.submit({ ...signInFields(username), password: 'wrong password' });
    return [status, stranger.text.replaceAll(username, 'NAME').replaceAll(/[\w-]{43,}/g, 'SECRET')];
  };
  expect(await seen('alice')).toEqual(await seen('bob'));
  expect(await seen('alice')).toEqual(await seen('nobody'));
});

describe('guessing', () => {
  const { signInOfAccount, twoFactor, twoFactorOfDay } = operationRateLimits;

  /** A stranger with addresses without number. */
  const guesser = (number: number) => new Browser(gateway, `198.51.${number >> 8}.${number & 255}`);

  test('of codes ends after ten from wherever; a browser that signed in before has its own', async () => {
    const home = new Browser(gateway);
    await knock(home);
    expect((await give(app.code(now()), home)).status).toBe(303);
    gateway.actors.clock.advance(minute);
    home.cookies.delete('murmuration_session');
    for (let guess = 0; guess < twoFactor.countMax; guess += 1) {
      const stranger = guesser(guess);
      await knock(stranger);
      expect((await give('000000', stranger)).status).toBe(422);
    }
    const late = guesser(99);
    await knock(late);
    await give(app.code(now()), late);
    expect(late.text).toContain('too many requests');
    expect(await isSignedIn(late)).toBe(false);
    await knock(home);
    expect((await give(app.code(now()), home)).status).toBe(303);
  });

  test('of codes ends for the day', async () => {
    let refused = 0;
    for (let hour = 0; hour * twoFactor.countMax <= twoFactorOfDay.countMax; hour += 1) {
      for (let guess = 0; guess < twoFactor.countMax; guess += 1) {
        const stranger = guesser(hour * 100 + guess);
        await knock(stranger);
        await give('000000', stranger);
        if (stranger.text.includes('too many requests')) refused += 1;
      }
      gateway.actors.clock.advance(61 * minute);
    }
    expect(refused).toBe(twoFactor.countMax);
    // Its owner is let in again the next day, also from where nobody signed in before.
    gateway.actors.clock.advance(24 * 60 * minute);
    const owner = guesser(9_999);
    await knock(owner);
    expect((await give(app.code(now()), owner)).status).toBe(303);
  });

  test('of passwords ends after 25 from wherever, also for addresses that nobody has; not at home, and not by mail', async () => {
    const home = new Browser(gateway);
    await knock(home);
    expect((await give(app.code(now()), home)).status).toBe(303);
    gateway.actors.clock.advance(minute);
    home.cookies.delete('murmuration_session');
    const guess = async (number: number, username: string, given = 'wrong password') => {
      const stranger = guesser(number);
      await stranger.open('/auth/sign_in');
      await stranger.submit({ ...signInFields(username), password: given });
      return /role="alert">([^<]*)</.exec(stranger.text)?.[1];
    };
    // Alice has signed in once already.
    for (const [username, first] of [
      ['alice', 1],
      ['nobody', 0],
    ] as const) {
      const said = [];
      for (let number = first; number <= signInOfAccount.countMax; number += 1)
        said.push(await guess(number, username));
      expect(new Set(said.slice(0, -1))).toEqual(new Set(['The e-mail address or the password is wrong.']));
      expect(said.at(-1)).toBe('There were too many requests. Please try again later.');
    }
    expect(await guess(500, 'alice', password)).toContain('too many requests');
    await knock(home);
    expect((await give(app.code(now()), home)).status).toBe(303);
  });
});

test('staff switch it off; its owner is told', async () => {
  const audit = { action: 'disableTwoFactor', by: 'commandLine' } as const;
  await gateway.actors.call(Account.disableTwoFactor.to(alice, { audit }));
  await browser.open('/auth/sign_in');
  expect((await browser.submit(signInFields('alice'))).status).toBe(303);
  expect(changesTold()).toEqual(['twoFactorEnabled', 'twoFactorDisabled']);
});

test('a token of a role that needs two steps opens nothing until they are set up, and after they are off', async () => {
  const strict = startGateway({ environment: { MURMURATION_TWO_FACTOR_FROM: 'admin' } });
  const boss = await addPerson(strict, 'boss', { role: 'admin' });
  const client = await registerClient(strict);
  const { id: applicationId } = applicationOfClient(strict.actors.read, client.client_id)!;
  const rights = { clientId: client.client_id, applicationId, scopes: ['read'], dialect: 'mastodon' } as const;
  const { token } = await issueToken(strict.services, { ...rights, scopes: ['read'], accountId: boss });
  const ask = () => strict.json('/oauth/userinfo', { token });
  expect(await ask()).toMatchObject({ status: 403, body: { error: 'Your role requires two-factor authentication' } });
  await setUpApp(strict.services, account('boss', boss));
  expect((await ask()).status).toBe(200);
  const audit = { action: 'disableTwoFactor', by: 'commandLine' } as const;
  await strict.actors.call(Account.disableTwoFactor.to(boss, { audit }));
  expect((await ask()).status).toBe(403);
  expect(strict.log).toEqual([]);
  await strict.close();
});
