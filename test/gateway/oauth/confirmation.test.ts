/** Where mail is sent an address counts when it was confirmed: at sign-up, and when it changes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { mailOf } from '../../../src/actors/account/mail/mail.queries.ts';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import { accountIdOfName, ownerOfEmail } from '../../../src/actors/directory/directory.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { mailLog } from '../../../src/actors/partition/mails.state.ts';
import { oauthEndpoints } from '../../../src/gateway/oauth/oauth.endpoints.ts';
import { appsEndpoints } from '../../../src/gateway/rest/apps/apps.endpoints.ts';
import { emailEndpoints } from '../../../src/gateway/rest/emails/emails.endpoints.ts';
import { registrationEndpoints } from '../../../src/gateway/rest/registration/registration.endpoints.ts';
import { confirmAccount } from '../../../src/operations/administration/admit-account.ts';
import { operator } from '../../../src/operations/caller.ts';
import { secretsOf } from '../../../src/services/instance-secrets.ts';
import { mailTokenKey, makeMailToken } from '../../../src/services/mail-tokens.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addPerson, Browser, registerClient, startGateway } from './people.ts';

let gateway: TestGateway;

beforeEach(() => {
  gateway = startGateway({
    environment: { MURMURATION_SMTP_URL: 'smtp://mail.example' },
    endpoints: [...oauthEndpoints, ...appsEndpoints, ...registrationEndpoints, ...emailEndpoints],
  });
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const email = 'bob@example.org';
const password = 'a good password';
const mails = () => {
  gateway.actors.settle();
  return gateway.actors.read.partitions.flatMap((reader) =>
    Array.from(reader.range(mailLog, []), ({ value }) => [value.content.kind, value.email]),
  );
};
const idOf = (username: string) => accountIdOfName(gateway.actors.read, `acct:${username}`)!;
const loginOf = (username: string) => findLogin(gateway.actors.read, idOf(username))!;

async function signUp(username: string, address = email): Promise<string> {
  const browser = new Browser(gateway);
  await browser.open('/auth/sign_up');
  const { status } = await browser.submit({ username, email: address, password, agreement: 'true' });
  expect(status).toBe(200);
  return browser.text.replaceAll(username, 'NAME');
}

async function tokenOf(accountId: bigint): Promise<string> {
  const { confirmation } = mailOf(gateway.actors.read, accountId);
  const key = mailTokenKey(await secretsOf(gateway.services));
  return makeMailToken(key, 'confirm an address', { accountId, requestId: confirmation!.requestId });
}

async function confirm(token: string): Promise<number> {
  const browser = new Browser(gateway);
  await browser.open(`/auth/confirmation?${new URLSearchParams({ token })}`);
  return (await browser.submit({})).status;
}

async function signIn(address = email): Promise<number> {
  const browser = new Browser(gateway);
  await browser.open('/auth/sign_in');
  return (await browser.submit({ email: address, password })).status;
}

describe('sign-up', () => {
  test('asks to confirm the address, which counts from then on; staff hear of it then', async () => {
    const mona = await addPerson(gateway, 'mona', { role: 'moderator' });
    expect(await signUp('bob')).toContain('A mail with a link is on its way');
    expect(mails()).toEqual([['confirmation', email]]);
    expect([loginOf('bob').confirmed, ownerOfEmail(gateway.actors.read, email), await signIn()]).toEqual([
      ...[false, undefined, 422],
    ]);
    expect(await confirm(await tokenOf(idOf('bob')))).toBe(200);
    expect([loginOf('bob').confirmed, ownerOfEmail(gateway.actors.read, email), await signIn()]).toEqual([
      ...[true, idOf('bob'), 303],
    ]);
    gateway.actors.settle();
    expect(mails().filter(([, to]) => to === findLogin(gateway.actors.read, mona)?.email)).toEqual([
      ['signUp', 'mona@example.org'],
    ]);
  });

  test('says the same for an address that somebody has, who alone is told', async () => {
    await addPerson(gateway, 'alice');
    const [known, unknown] = [await signUp('bob', 'alice@example.org'), await signUp('carol', 'carol@example.org')];
    expect(known).toBe(unknown);
    expect(mails()).toEqual(
      expect.arrayContaining([
        ['confirmation', 'alice@example.org'],
        ['confirmation', 'carol@example.org'],
      ]),
    );
    expect(await confirm(await tokenOf(idOf('bob')))).toBe(403);
    expect(ownerOfEmail(gateway.actors.read, 'alice@example.org')).toBe(idOf('alice'));
    expect(loginOf('bob').confirmed).toBe(false);
  });

  test('of two that wait for the same address the first that confirms it gets it', async () => {
    await signUp('bob');
    await signUp('eve');
    const [bobs, eves] = [await tokenOf(idOf('bob')), await tokenOf(idOf('eve'))];
    expect([await confirm(bobs), await confirm(eves)]).toEqual([200, 403]);
    expect(ownerOfEmail(gateway.actors.read, email)).toBe(idOf('bob'));
  });

  test('a link holds for two days, and once', async () => {
    await signUp('bob');
    const token = await tokenOf(idOf('bob'));
    gateway.actors.clock.advance(48 * 3_600_000 + 1);
    expect(await confirm(token)).toBe(403);
    gateway.actors.call(Account.requestConfirmation.to(idOf('bob'), {}));
    gateway.actors.settle();
    const renewed = await tokenOf(idOf('bob'));
    expect([await confirm(renewed), await confirm(renewed), await confirm('nothing')]).toEqual([200, 403, 403]);
  });

  test('is told to whoever signs in before, and the mail is sent again; not without the password', async () => {
    await signUp('bob');
    const browser = new Browser(gateway);
    for (const [given, said, sent] of [
      ['wrong password', 'The e-mail address or the password is wrong.', 1],
      [password, 'The mail with the link is on its way to it again', 2],
    ] as const) {
      await browser.open('/auth/sign_in');
      await browser.submit({ email, password: given });
      expect(browser.text).toContain(said);
      expect(mails()).toHaveLength(sent);
    }
  });

  test('says that staff look at the account next, and has no way in until they have', async () => {
    gateway.actors.callNow(Instance.changeSettings.to(instanceKey, { registrations: 'approval' }));
    const browser = new Browser(gateway);
    await browser.open('/auth/sign_up');
    await browser.submit({ username: 'bob', email, password, agreement: 'true', reason: 'Birds' });
    expect(browser.text).toContain('Once you have followed it, somebody of the staff looks at your account');
    await browser.open(`/auth/confirmation?${new URLSearchParams({ token: await tokenOf(idOf('bob')) })}`);
    await browser.submit({});
    expect(browser.text).toContain('as soon as somebody of the staff has looked at it');
    expect(browser.text).not.toContain('/auth/sign_in');
  });

  test('staff may confirm an address instead', async () => {
    await signUp('bob');
    const context = { caller: operator, services: gateway.services };
    await confirmAccount(context, { account: idOf('bob') });
    gateway.actors.settle();
    await signUp('eve');
    await expect(confirmAccount(context, { account: idOf('eve') })).rejects.toThrow(
      'Another account has this address.',
    );
    expect([ownerOfEmail(gateway.actors.read, email), await signIn()]).toEqual([idOf('bob'), 303]);
  });
});

test('POST /api/v1/emails/confirmations sends the mail again, until the address is confirmed', async () => {
  const client = await registerClient(gateway);
  const grant = { grant_type: 'client_credentials', ...client, scope: 'read write' };
  const { body: ofApp } = await gateway.json('/oauth/token', { form: grant });
  const wish = { username: 'bob', email, password, agreement: 'true' };
  const { body } = await gateway.json('/api/v1/accounts', { form: wish, token: String(ofApp.access_token) });
  const token = String(body.access_token);
  const again = () => gateway.json('/api/v1/emails/confirmations', { method: 'POST', token });
  const check = () => gateway.json('/api/v1/emails/check_confirmation', { token });
  expect([await again(), await check()]).toEqual([
    { status: 200, body: {} },
    { status: 200, body: false },
  ]);
  expect(mails()).toEqual([
    ['confirmation', email],
    ['confirmation', email],
  ]);
  expect(await confirm(await tokenOf(idOf('bob')))).toBe(200);
  expect([(await again()).status, await check()]).toEqual([403, { status: 200, body: true }]);
});

test('a new address counts when it is confirmed, and the old one is told and free', async () => {
  const alice = await addPerson(gateway, 'alice');
  await gateway.actors.call(Account.changeEmail.to(alice, { email: 'new@example.org' }));
  expect([mails(), loginOf('alice').email]).toEqual([[['confirmation', 'new@example.org']], 'alice@example.org']);
  expect(await confirm(await tokenOf(alice))).toBe(200);
  expect(mails()).toContainEqual(['emailChanged', 'alice@example.org']);
  const { read } = gateway.actors;
  expect([
    loginOf('alice').email,
    ownerOfEmail(read, 'new@example.org'),
    ownerOfEmail(read, 'alice@example.org'),
  ]).toEqual([...['new@example.org', alice, undefined]]);
});
