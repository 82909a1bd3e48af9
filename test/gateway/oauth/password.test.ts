/** A new password by mail: the page that asks for it, and the page where the link leads. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailOf } from '../../../src/actors/account/mail/mail.queries.ts';
import { mailLog } from '../../../src/actors/partition/mails.state.ts';
import { secretsOf } from '../../../src/services/instance-secrets.ts';
import { mailTokenKey, makeMailToken, readMailToken } from '../../../src/services/mail-tokens.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addPerson, Browser, password, startGateway } from './people.ts';

let gateway: TestGateway;
let alice: bigint;

beforeEach(async () => {
  gateway = startGateway({ environment: { MURMURATION_SMTP_URL: 'smtp://mail.example' } });
  alice = await addPerson(gateway, 'alice');
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const wanted = 'a much better password';
const mails = () => {
  gateway.actors.settle();
  return gateway.actors.read.partitions.flatMap((reader) =>
    Array.from(reader.range(mailLog, []), ({ value }) => value),
  );
};
const kinds = () => mails().map(({ content }) => content.kind);

async function ask(email: string): Promise<Browser> {
  const browser = new Browser(gateway);
  await browser.open('/auth/password/new');
  expect((await browser.submit({ email })).status).toBe(200);
  return browser;
}

/** The link of the mail. */
async function tokenOf(accountId: bigint): Promise<string> {
  const { reset } = mailOf(gateway.actors.read, accountId);
  const key = mailTokenKey(await secretsOf(gateway.services));
  return makeMailToken(key, 'set a new password', { accountId, requestId: reset!.requestId });
}

async function setPassword(token: string, chosen = wanted): Promise<number> {
  const browser = new Browser(gateway);
  await browser.open(`/auth/password/reset?${new URLSearchParams({ token })}`);
  return (await browser.submit({ wanted: chosen })).status;
}

async function signIn(with_: string): Promise<number> {
  const browser = new Browser(gateway);
  await browser.open('/auth/sign_in');
  return (await browser.submit({ email: 'alice@example.org', password: with_ })).status;
}

test('a link sets a new password, once; all sessions end, and the old password is none any more', async () => {
  const before = new Browser(gateway);
  await before.open('/auth/sign_in');
  await before.submit({ email: 'alice@example.org', password });
  await before.open('/auth/sign_out');
  expect(before.text).toContain('@alice');
  await ask('alice@example.org');
  expect(mails()).toMatchObject([{ email: 'alice@example.org', accountId: alice, content: { kind: 'passwordReset' } }]);
  const token = await tokenOf(alice);
  expect(await setPassword(token)).toBe(303);
  expect(kinds()).toEqual(['passwordReset', 'passwordChanged']);
  expect([await signIn(password), await signIn(wanted)]).toEqual([422, 303]);
  await before.open('/auth/sign_out');
  expect(before.text).not.toContain('@alice');
  expect(await setPassword(token, 'yet another password')).toBe(403);
  expect(await signIn(wanted)).toBe(303);
});

test('the page says the same for an address that nobody has', async () => {
  const [known, unknown] = [await ask('alice@example.org'), await ask('nobody@example.org')];
  expect(unknown.text).toBe(known.text);
  expect(kinds()).toEqual(['passwordReset']);
});

test('a password that is too short is refused at its field, and the link holds', async () => {
  await ask('alice@example.org');
  const token = await tokenOf(alice);
  expect([await setPassword(token, 'short'), await setPassword(token)]).toEqual([422, 303]);
});

test('who asks twice gets the same link, which holds for six hours', async () => {
  await ask('alice@example.org');
  const first = await tokenOf(alice);
  await ask('alice@example.org');
  expect(await tokenOf(alice)).toBe(first);
  gateway.actors.clock.advance(6 * 3_600_000 + 1);
  expect(await setPassword(first)).toBe(403);
  expect(await signIn(password)).toBe(303);
});

test.each([
  ['nothing', () => ''],
  ['a token of another account', (token: string) => token.replace(/^\d+/, '77')],
  ['a token of another request', (token: string) => token.replace(/\.\d+\./, '.77.')],
  ['a forged one', (token: string) => `${token.slice(0, -4)}AAAA`],
])('%s sets no password', async (_name, forge) => {
  await ask('alice@example.org');
  expect(await setPassword(forge(await tokenOf(alice)))).toBe(403);
  expect(await signIn(password)).toBe(303);
});

test('a token is of one server', () => {
  const key = mailTokenKey({ formSecret: 'one' });
  const token = makeMailToken(key, 'set a new password', { accountId: 1n, requestId: 2n });
  expect(readMailToken(key, 'set a new password', token)).toEqual({ accountId: 1n, requestId: 2n });
  expect(readMailToken(mailTokenKey({ formSecret: 'other' }), 'set a new password', token)).toBeUndefined();
});

test('a disabled account gets no link', async () => {
  const bob = await addPerson(gateway, 'bob', { disabled: true });
  await ask('bob@example.org');
  expect([kinds(), mailOf(gateway.actors.read, bob)]).toEqual([[], {}]);
});

test('a server without mail says so', async () => {
  const other = startGateway();
  const browser = new Browser(other);
  await browser.open('/auth/password/new');
  expect(browser.text).toContain('This server sends no mail.');
  await other.close();
});
