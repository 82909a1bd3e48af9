/** Mail from its cause to the SMTP server, in simulated time. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { mailOf } from '../../../src/actors/account/mail/mail.queries.ts';
import { staffNotifiedOf } from '../../../src/actors/account/profile/staff.queries.ts';
import { mailLimits } from '../../../src/outbound/mail/limits.ts';
import { mailTokenKey, readMailToken } from '../../../src/services/mail-tokens.ts';
import type { Person } from '../../support/observer.ts';
import { MailBed, refusedAt, sent, unreachable } from './mail-bed.ts';

const minute = 60_000;
const hour = 60 * minute;

let bed: MailBed;
let alice: Person;
let passwords = 0;

// What the first mail of a process loads.
beforeAll(() => Promise.all([import('nodemailer/lib/mail-composer'), import('nodemailer/lib/smtp-connection')]));

beforeEach(() => {
  bed = new MailBed();
  alice = bed.people.local('alice', {}, { locale: 'de' });
});

async function changePassword(person = alice, count = 1): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    passwords += 1;
    bed.server.callNow(Account.changeLogin.to(person.id, { passwordHash: `hash ${passwords}` }));
  }
  await bed.settle();
}

test('what happens to an account is told in its language, and is gone from the log once it was sent', async () => {
  await changePassword();
  const [mail] = await bed.parsed('alice@example.org');
  expect(mail).toMatchObject({ subject: 'Dein Passwort wurde geändert' });
  expect(mail!.text).toContain('@alice@here.example');
  expect(bed.logged()).toBe(0);
  expect(bed.problems).toEqual([]);
});

test('nothing is sent to an address that is not confirmed', async () => {
  const bob = bed.people.local('bob', {}, { confirmed: false });
  await changePassword(bob);
  await bed.advance(hour);
  expect([bed.attempts.length, bed.logged()]).toEqual([0, 0]);
});

describe('what is told', () => {
  const texts = async (email: string) =>
    (await bed.parsed(email)).map(({ subject, text }) => `${subject} ${text?.replaceAll(/\s+/g, ' ')}`);

  test('specification 6.3: a report goes to the staff who may look at it, with its reason', async () => {
    bed.people.local('mona', {}, { role: 'moderator', email: 'mona@staff.example' });
    bed.people.local('olga', {}, { role: 'owner', email: 'olga@staff.example' });
    const bob = bed.people.local('bob');
    const said = {
      targetId: bob.id,
      statusIds: [1n],
      ruleIds: [],
      category: 'spam' as const,
      comment: 'Sells watches',
    };
    const staffIds = staffNotifiedOf(bed.server.read, 'admin.report');
    bed.server.callNow(Account.fileReport.to(alice.id, { ...said, staffIds }));
    await bed.settle();
    for (const name of ['mona', 'olga']) {
      const [told] = await texts(`${name}@staff.example`);
      expect(told).toContain('New report Hello');
      expect(told).toContain('@alice@here.example has reported @bob@here.example (spam).');
      expect(told).toContain('The report names 1 post. > Sells watches');
    }
    expect(bed.to('alice@example.org')).toEqual([]);
  });

  test('a sign-up that waits for approval goes to staff; one that does not wait does not', async () => {
    const mona = bed.people.local('mona', {}, { role: 'moderator' });
    for (const [username, approved] of [
      ['eve', true],
      ['erin', false],
    ] as const) {
      const { id: fromId } = bed.people.local(username, {}, { approved, reason: 'I like birds' });
      bed.server.send(Account.notify.to(mona.id, { type: 'admin.sign_up', fromId }));
    }
    await bed.settle();
    const told = await texts('mona@example.org');
    expect(told).toEqual([
      expect.stringContaining('@erin@here.example would like to join here.example. > I like birds'),
    ]);
  });

  test.each([
    [{ approved: true }, { approved: false }, 'Welcome: your account is open'],
    [{ disabled: true }, {}, 'Your account was disabled'],
    [{ disabled: false }, { disabled: true }, 'Your account is open again'],
    [{ suspended: true }, {}, 'Your account was suspended'],
    [{ limited: true }, {}, 'Your account was limited'],
  ])('%j is told to the account, once', async (change, login, subject) => {
    const bob = bed.people.local('bob', {}, login);
    bed.server.callNow(Account.changeLogin.to(bob.id, change));
    bed.server.callNow(Account.changeLogin.to(bob.id, change));
    await bed.settle();
    expect(await texts('bob@example.org')).toEqual([expect.stringContaining(subject)]);
  });

  test('a warning is told with its text', async () => {
    bed.server.callNow(Account.warn.to(alice.id, { action: 'none', text: 'Bitte\nfreundlich' }));
    await bed.settle();
    const [mail] = await bed.parsed('alice@example.org');
    expect(mail!.subject).toBe('Die Moderation hat dich verwarnt');
    expect(mail!.text).toContain('> Bitte\n> freundlich');
  });

  test('an appeal goes to those who decide about it, with its text, and the decision to the account', async () => {
    const bob = bed.people.local('bob');
    const olga = bed.people.local('olga', {}, { role: 'owner', email: 'olga@staff.example' });
    const struck = Account.sanction.to(bob.id, { action: 'silence', text: '', tells: false });
    const { strikeId } = await bed.server.call(struck);
    await bed.server.call(Account.appeal.to(bob.id, { strikeId, text: 'I was kind', staffIds: [olga.id] }));
    await bed.settle();
    const [told] = await texts('olga@staff.example');
    expect(told).toContain('New appeal Hello');
    expect(told).toMatch(/@bob@here\.example has appealed against being limited \(.*\)\. > I was kind/);
    bed.server.callNow(Account.decideAppeal.to(bob.id, { strikeId, isApproved: false, statuses: [] }));
    await bed.settle();
    const [answer] = await texts('bob@example.org');
    expect(answer).toContain('Your appeal was rejected');
    expect(answer).toContain(`/disputes/strikes/${strikeId}`);
  });

  test('a link for a new password is of its account, and is not sent once it was used', async () => {
    bed.server.callNow(Account.requestPasswordReset.to(alice.id, {}));
    await bed.settle();
    const [mail] = await bed.parsed('alice@example.org');
    const token = /token=([\w.-]+)/.exec(mail!.text!)![1]!;
    const read = readMailToken(mailTokenKey({ formSecret: 'a secret' }), 'set a new password', token);
    expect(read).toEqual({ accountId: alice.id, requestId: mailOf(bed.server.read, alice.id).reset!.requestId });
    bed.answer = () => unreachable;
    bed.server.callNow(Account.requestPasswordReset.to(alice.id, {}));
    await bed.settle();
    bed.server.callNow(Account.resetPassword.to(alice.id, { requestId: read!.requestId, passwordHash: 'new' }));
    bed.answer = () => sent;
    const before = bed.attempts.length;
    await bed.advance(hour);
    const later = (await bed.parsed('alice@example.org')).slice(before).map(({ subject }) => subject);
    expect(later).toEqual(['Dein Passwort wurde geändert']);
  });
});

describe('what mail servers say', () => {
  test('an address that is refused for good is recorded, and its mail is not sent again', async () => {
    bed.answer = () => refusedAt('recipient', 550);
    await changePassword();
    await changePassword();
    await bed.advance(48 * hour);
    expect(bed.attempts).toHaveLength(2);
    expect(bed.dropped).toEqual(['refused', 'refused']);
    const refused = { email: 'alice@example.org', response: '550 no', count: 2 };
    expect(mailOf(bed.server.read, alice.id).refused).toMatchObject(refused);
    expect(bed.logged()).toBe(0);
  });

  test('a mail that is refused for now is tried again, with growing pauses, and then sent once', async () => {
    bed.answer = (_mail, before) => (before < 3 ? refusedAt('recipient', 450) : sent);
    await changePassword();
    await bed.advance(24 * hour);
    const times = bed.to('alice@example.org').map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - times[index]!);
    expect(times).toHaveLength(4);
    expect([...pauses].sort((one, other) => one - other)).toEqual(pauses);
    const ids = new Set((await bed.parsed('alice@example.org')).map(({ messageId }) => messageId));
    expect(ids.size).toBe(1);
    expect([bed.logged(), mailOf(bed.server.read, alice.id)]).toEqual([0, {}]);
  });

  test('a host that does not answer delays nothing at another', async () => {
    bed.answer = ({ to }) => (to.endsWith('@dead.example') ? 'never' : sent);
    const people = Array.from({ length: 30 }, (_, index) =>
      bed.people.local(`person${index}`, {}, { email: `person${index}@dead.example` }),
    );
    for (const person of people) await changePassword(person);
    await changePassword();
    expect(bed.to('alice@example.org')).toHaveLength(1);
  });

  test('what could not be sent for days is given up', async () => {
    bed.answer = () => unreachable;
    await changePassword();
    await bed.advance(9 * 24 * hour);
    const { length } = bed.attempts;
    expect(length).toBeGreaterThan(4);
    bed.answer = () => sent;
    await bed.advance(3 * 24 * hour);
    expect([bed.attempts.length, bed.logged()]).toEqual([length, 0]);
  });
});

test('an address gets so many mails in an hour; the rest is dropped, and counted', async () => {
  const more = 5;
  await changePassword(alice, mailLimits.perRecipientAndHourMax + more);
  await bed.advance(minute);
  expect(bed.attempts).toHaveLength(mailLimits.perRecipientAndHourMax);
  expect(bed.dropped).toEqual(Array.from({ length: more }, () => 'too many'));
  await bed.advance(hour);
  await changePassword();
  expect(bed.attempts).toHaveLength(mailLimits.perRecipientAndHourMax + 1);
  expect(bed.logged()).toBe(0);
});

test('a start goes on with the hour that had begun', async () => {
  await changePassword(alice, mailLimits.perRecipientAndHourMax - 1);
  await bed.advance(30 * minute);
  await bed.crash();
  await changePassword(alice, 3);
  expect(bed.attempts).toHaveLength(mailLimits.perRecipientAndHourMax);
  expect(bed.dropped).toEqual(['too many', 'too many']);
  await bed.crash();
  await bed.advance(31 * minute);
  await changePassword();
  expect(bed.attempts).toHaveLength(mailLimits.perRecipientAndHourMax + 1);
});

describe('a thread that dies', () => {
  test('right after a mail was sent does not send it again', async () => {
    await changePassword();
    await bed.crash();
    await bed.advance(hour);
    expect(bed.attempts).toHaveLength(1);
  });

  test('before a mail was sent sends it later', async () => {
    bed.answer = () => 'never';
    await changePassword();
    bed.answer = () => sent;
    await bed.crash();
    await bed.advance(hour);
    // The first attempt never had an answer.
    expect(bed.attempts).toHaveLength(2);
    expect(bed.logged()).toBe(0);
  });
});
