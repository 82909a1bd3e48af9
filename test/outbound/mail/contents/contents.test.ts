/** What mails about sign-ins, second factors, applications and decisions say. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { mailOf } from '../../../../src/actors/account/mail/mail.queries.ts';
import type { MailContent } from '../../../../src/actors/account/mail/mail.records.ts';
import { findLocalAccount } from '../../../../src/actors/account/profile/logins.queries.ts';
import { applicationKey, codeKey, Session, tokenKey } from '../../../../src/actors/session/session.messages.ts';
import { tell as tellContent } from '../../../../src/outbound/mail/contents/contents.ts';
import { Languages } from '../../../../src/services/words/languages.ts';
import type { Person } from '../../../support/observer.ts';
import { MailBed } from '../mail-bed.ts';

let bed: MailBed;
let alice: Person;

// What the first mail of a process loads.
beforeAll(() => import('nodemailer/lib/mail-composer'));

beforeEach(() => {
  bed = new MailBed();
  alice = bed.people.local('alice', {}, { locale: 'en' });
});

async function texts(email = 'alice@example.org'): Promise<string[]> {
  return (await bed.parsed(email)).map(({ subject, text }) => `${subject} ${text?.replaceAll(/\s+/g, ' ')}`);
}

async function tell(content: MailContent): Promise<string> {
  const before = bed.to('alice@example.org').length;
  bed.server.send(Account.mail.to(alice.id, { content }));
  await bed.settle();
  const told = (await texts()).slice(before);
  expect(told).toHaveLength(1);
  return told[0]!;
}

test.each([
  ['twoFactorEnabled', 'Signing in needs a second factor now'],
  ['twoFactorDisabled', 'Signing in needs no second factor any more'],
  ['recoveryCodesReplaced', 'You have new recovery codes'],
  ['secondFactorFailed', 'Somebody knows your password'],
  ['passkeyAdded', 'A passkey was added Hello alice, The passkey “Blue key” can sign in'],
  ['passkeyRemoved', 'A passkey was removed Hello alice, The passkey “Blue key” cannot sign in'],
] as const)('%s is told, with what to do against it', async (change, said) => {
  const told = await tell({ kind: 'secured', change, name: 'Blue key' });
  expect(told).toContain(said);
  expect(told).toContain('@alice@here.example');
  expect(told).toContain('Set a new password: https://here.example/auth/password/new');
});

test.each([
  [{ kind: 'deletionBegun', deletesAt: Date.UTC(2025, 0, 8) }, 'That happens on', '/settings/delete'],
  [{ kind: 'deletionTakenBack' }, 'Your account @alice@here.example is not deleted', '/auth/password/new'],
  [{ kind: 'deleted' }, 'here.example has forgotten this e-mail address', 'last mail'],
  [{ kind: 'archiveFailed' }, 'You can ask for it again', '/settings/export'],
] as const)('%s of an account is told', async (content, said, next) => {
  const told = await tell(content);
  expect([told.includes(said), told.includes(next)]).toEqual([true, true]);
});

test('a sign-in from a new place is told with its address and browser', async () => {
  const browser = 'Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';
  const told = await tell({ kind: 'signedIn', address: '203.0.113.7', browser });
  expect(told).toContain('A sign-in from a new place');
  expect(told).toContain('Address: 203.0.113.7 Browser: Firefox · Android');
  expect(await tell({ kind: 'signedIn', address: '203.0.113.7', browser: '' })).not.toContain('Browser:');
});

test.each([
  ['the first one', [], '203.0.113.7', false],
  ['the same network', ['203.0.113.7'], '203.0.9.9', false],
  ['another network', ['203.0.113.7', '2001:db8::1'], '198.51.100.1', true],
  ['the same network, of long addresses', ['2001:db8::1'], '2001:db8::2:3:4:5', false],
  ['another network, of long addresses', ['2001:db8::1'], '2001:db8:0:1::1', true],
])('a sign-in from %s', async (_name, known, address, isTold) => {
  const until = bed.server.clock.now() + 1e10;
  for (const one of known) bed.server.send(Account.addressUsed.to(alice.id, { address: one, until }));
  const source = { address, until, succeeded: true, way: 'password' as const };
  bed.server.callNow(Account.signedIn.to(alice.id, { ...source, succeeded: false }));
  for (const _again of [1, 2]) bed.server.callNow(Account.signedIn.to(alice.id, source));
  await bed.settle();
  const told = await texts();
  expect(told).toEqual(isTold ? [expect.stringContaining(`Address: ${address}`)] : []);
});

test('a sign-in with a second factor is not told of', async () => {
  const until = bed.server.clock.now() + 1e10;
  bed.server.send(Account.addressUsed.to(alice.id, { address: '203.0.113.7', until }));
  const totp = { sealed: 'sealed', step: 1, recoveryCodes: [] };
  bed.server.callNow(Account.enableTotp.to(alice.id, totp));
  const source = { address: '198.51.100.1', until, succeeded: true, way: 'password' as const };
  bed.server.callNow(Account.signedIn.to(alice.id, source));
  await bed.settle();
  expect(await texts()).toEqual([expect.stringContaining('Signing in needs a second factor now')]);
});

test('an application is told of when it gets its first token for the account, and not when it signs in again', async () => {
  const dialect = 'mastodon' as const;
  const rights = { clientId: 'app', scopes: ['read', 'push'], dialect };
  const redirectUris = ['https://app.example'];
  const application = { ...rights, secretDigest: 'd', name: 'Birdcage', redirectUris, permanent: false };
  const { applicationId } = bed.server.callNow(Session.registerApplication.to(applicationKey('app'), application));
  for (const number of [1, 2]) {
    const code = codeKey(`code ${number}`);
    const place = { redirectUri: 'https://app.example' };
    await bed.server.call(Session.issueCode.to(code, { ...rights, ...place, applicationId, accountId: alice.id }));
    const exchange = { clientId: 'app', ...place, tokenId: `token ${number}` };
    await bed.server.call(Session.exchangeCode.to(code, exchange));
    await bed.settle();
    const told = await texts();
    expect(told).toEqual([
      expect.stringContaining('Birdcage was authorized to act for your account @alice@here.example'),
    ]);
    expect(told[0]).toContain('It may: read, push');
  }
  await bed.server.call(Session.revokeToken.to(tokenKey('token 1'), {}));
});

test('who confirms the address of a sign-up that needs no approval is welcomed', async () => {
  const bob = bed.people.local('bob', {}, { confirmed: false });
  bed.server.callNow(Account.requestConfirmation.to(bob.id, {}));
  const { requestId } = mailOf(bed.server.read, bob.id).confirmation!;
  await bed.server.call(Account.confirmEmail.to(bob.id, { requestId, staffIds: [] }));
  await bed.settle();
  const told = await texts('bob@example.org');
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('Welcome to here.example');
  expect(told[0]).toContain('Look around: https://here.example/explore');
});

test('a decision names the posts that it is about, and counts those that are gone', async () => {
  const { id } = await bed.people.publish(alice, { text: 'Cheap watches for everybody' });
  const cause = { action: 'mark_statuses_as_sensitive', text: 'Please do not.', statusIds: [id, 1n] } as const;
  bed.server.callNow(Account.warn.to(alice.id, { ...cause, statusIds: [...cause.statusIds] }));
  await bed.settle();
  const [told] = await texts();
  expect(told).toContain('> Please do not. The posts that it is about:');
  expect(told).toContain('watches');
  expect(told).toContain(`https://here.example/@alice/${id}`);
  expect(told).toContain('- 1 post that is gone');
  expect(told).toContain('you can appeal on that page, once and within 20 days');
  expect(told).toMatch(/What was decided, and why: https:\/\/here\.example\/disputes\/strikes\/\d+/);
});

const always: readonly MailContent[] = [
  { kind: 'passwordChanged' },
  { kind: 'emailChanged', email: 'new@example.org' },
  { kind: 'welcome' },
  { kind: 'secured', change: 'twoFactorEnabled' },
  { kind: 'signedIn', address: '2001:db8::1', browser: 'Safari' },
  { kind: 'warned', text: '', action: 'none' },
  { kind: 'decided', decision: 'approved' },
];

test.each(
  new Languages().all.map((words) => [words.language.code, words] as const),
)('in %s all that is always told has a subject of one line, and no place that was not filled', (_code, words) => {
  const account = findLocalAccount(bed.server.read, alice.id)!;
  const { addresses, snapshots } = bed.services;
  const mail = { at: 0, host: 1, email: 'alice@example.org', accountId: alice.id, sequence: 1, expiresAt: 1 };
  for (const content of always) {
    const told = { snapshots, addresses, words, account, handle: '@alice@here.example', mail: { ...mail, content } };
    const text = tellContent({ ...told, link: (path) => path }, content)!;
    expect(text.subject).toMatch(/^[^\n{}]+$/);
    expect(text.paragraphs.join(' ')).toMatch(/^[^{}]+$/);
  }
});
