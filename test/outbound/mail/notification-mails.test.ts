/** Notifications by mail: to those who seem to be away, of the kinds that they want. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { mailOf } from '../../../src/actors/account/mail/mail.queries.ts';
import type { MailTopic } from '../../../src/actors/account/mail/mail.records.ts';
import { warningsOf } from '../../../src/actors/account/moderation/warnings.queries.ts';
import { topicsOf } from '../../../src/actors/policy/mail-topics.ts';
import { builtInRoles } from '../../../src/actors/policy/roles.ts';
import { mailLimits } from '../../../src/outbound/mail/limits.ts';
import { timers } from '../../../src/runtime/storage/machine.ts';
import { mailTokenKey, readUnsubscribeToken } from '../../../src/services/mail-tokens.ts';
import type { Person } from '../../support/observer.ts';
import { until } from '../../support/until.ts';
import { MailBed, refusedAt, sent } from './mail-bed.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let bed: MailBed;
let alice: Person;
let bob: Person;

// What the first mail of a process loads.
beforeAll(() => Promise.all([import('nodemailer/lib/mail-composer'), import('nodemailer/lib/smtp-connection')]));

beforeEach(() => {
  bed = new MailBed();
  alice = bed.people.local('alice', {}, { locale: 'en' });
  bob = bed.people.local('bob', { displayName: 'Bob the Builder' });
});

const mention = async (text = '<p>Hello <b>you</b></p>', options = {}) => {
  const post = await bed.people.publish(bob, { text, mentions: [alice], ...options });
  await bed.settle();
  return post;
};
const mails = () => bed.parsed('alice@example.org');
const subjects = async () => (await mails()).map(({ subject }) => subject);

async function choose(on: MailTopic[], off: MailTopic[] = [], always?: boolean): Promise<void> {
  await bed.server.call(Account.changeMailSettings.to(alice.id, { on, off, always }));
}

function subscribeToPush(): void {
  const keys = { p256dh: 'key', auth: 'secret', isStandard: true };
  const subscription = { endpoint: 'https://push.example/1', ...keys, alerts: ['mention'], policy: 'all' as const };
  bed.server.callNow(Account.subscribeToPush.to(alice.id, { tokenId: 'token', subscription }));
}

test('a mention comes two minutes later, with its text and a link, and how to switch such mails off', async () => {
  const { id } = await mention();
  await bed.advance(2 * minute - 5 * second);
  expect(bed.attempts).toEqual([]);
  await bed.advance(10 * second);
  const [mail] = await mails();
  expect(mail!.subject).toBe('Bob the Builder mentioned you');
  expect(mail!.text).toContain('Bob the Builder mentioned you (@bob@here.example).');
  expect(mail!.text).toContain('> Hello you');
  expect(mail!.text).toContain(`https://here.example/@bob/${id}`);
  expect(mail!.inReplyTo).toBe(`<thread-${id}@here.example>`);
  const list = mail!.headers.get('list') as unknown as Record<string, unknown>;
  expect(list).toMatchObject({ id: { name: 'mention.alice.here.example' } });
  const { url } = list.unsubscribe as { url: string };
  const token = new URL(url).searchParams.get('token')!;
  const key = mailTokenKey({ formSecret: 'a secret' });
  expect(readUnsubscribeToken(key, token)).toEqual({ accountId: alice.id, topic: 'mention' });
  expect(readUnsubscribeToken(key, token.replace('mention', 'follow'))).toBeUndefined();
  expect(mail!.text).toContain(url);
  await bed.advance(hour);
  expect(bed.attempts).toHaveLength(1);
  expect(bed.logged()).toBe(0);
});

test('what comes within two minutes of another is told as long after it happened', async () => {
  await mention('one');
  await bed.advance(minute);
  await mention('two');
  await bed.advance(minute + 10 * second);
  expect(bed.attempts).toHaveLength(1);
  await bed.advance(minute);
  expect(bed.attempts).toHaveLength(2);
  expect(new Set((await mails()).map(({ inReplyTo }) => inReplyTo)).size).toBe(2);
});

describe('nothing comes', () => {
  const nothing: readonly (readonly [string, () => unknown])[] = [
    ['while a stream is open', () => bed.streaming.add(alice.id)],
    ['to who gets push messages', subscribeToPush],
    ['of a kind that was switched off', () => choose([], ['mention'])],
  ];
  test.each(nothing)('%s', async (_name, given) => {
    await given();
    await mention();
    await bed.advance(hour);
    expect(bed.attempts).toEqual([]);
  });

  const meanwhile: readonly (readonly [string, (id: bigint) => unknown])[] = [
    ['a stream was opened', () => bed.streaming.add(alice.id)],
    ['the kind was switched off', () => choose([], ['mention'])],
    ['the post was deleted', (id) => bed.people.remove({ id, author: bob })],
    ['the account was disabled', () => bed.server.callNow(Account.changeLogin.to(alice.id, { disabled: true }))],
    ['notifications were read', () => bed.server.callNow(Account.clearNotifications.to(alice.id, {}))],
  ];
  test.each(meanwhile)('if within the two minutes %s', async (_name, happens) => {
    const { id } = await mention();
    await bed.advance(minute);
    await happens(id);
    await bed.advance(hour);
    expect((await subjects()).filter((subject) => subject?.includes('mentioned'))).toEqual([]);
  });

  test('to an address that mail servers refuse again and again', async () => {
    bed.answer = () => refusedAt('recipient', 550);
    for (let number = 0; number < 3; number += 1) {
      await mention();
      await bed.advance(3 * minute);
    }
    expect(bed.attempts).toHaveLength(3);
    bed.answer = () => sent;
    await mention();
    await bed.advance(hour);
    expect(bed.attempts).toHaveLength(3);
  });
});

test('without an SMTP server a notification sets no timer and stores no mail, and what waited ends', async () => {
  const timersSet = () => bed.server.read.partitions.reduce((sum, one) => sum + [...one.range(timers, [])].length, 0);
  const remembered = () => mailOf(bed.server.read, alice.id);
  await mention();
  expect([timersSet(), remembered().notifying]).toEqual([1, expect.anything()]);
  bed.route(false);
  await bed.advance(3 * minute);
  expect([timersSet(), remembered().notifying, bed.logged()]).toEqual([0, undefined, 0]);
  await mention();
  expect([timersSet(), remembered().notifying]).toEqual([0, undefined]);
  // What concerns the account is told wherever mail goes.
  bed.server.callNow(Account.changeLogin.to(alice.id, { passwordHash: 'another' }));
  await bed.settle();
  expect(await subjects()).toEqual(['Your password was changed']);
});

test('who wants mail in any case gets it beside streams and push messages', async () => {
  subscribeToPush();
  bed.streaming.add(alice.id);
  await choose([], [], true);
  await mention();
  await bed.advance(3 * minute);
  expect(bed.attempts).toHaveLength(1);
});

test('follows are told; favourites only where they were asked for, and stay so', async () => {
  await bed.people.follow(bob, alice);
  const post = await bed.people.publish(alice);
  await bed.people.favourite(bob, post);
  await bed.advance(3 * minute);
  expect(await subjects()).toEqual(['Bob the Builder follows you']);
  await choose(['favourite']);
  await choose([], ['follow']);
  await bed.people.favourite(bob, await bed.people.publish(alice));
  await bed.advance(3 * minute);
  expect((await subjects()).at(-1)).toBe('Bob the Builder favourited your post');
});

test('a crowd that mentions somebody leaves room for what concerns the safety of the account', async () => {
  for (let number = 0; number < 30; number += 1) await mention(`number ${number}`);
  await bed.advance(10 * minute);
  const { optionalPerRecipientAndHourMax: max } = mailLimits;
  const settled = async (count: number) => {
    await bed.settle();
    return bed.attempts.length + bed.dropped.length >= count;
  };
  await until(() => settled(30), { description: 'all mentions' });
  expect([bed.attempts.length, bed.dropped.length]).toEqual([max, 30 - max]);
  bed.server.callNow(Account.changeLogin.to(alice.id, { passwordHash: 'another' }));
  await until(() => settled(31), { description: 'the mail about the password' });
  expect((await subjects()).at(-1)).toBe('Your password was changed');
});

test('staff mails are switched off by their kind', async () => {
  const mona = bed.people.local('mona', {}, { role: 'moderator', email: 'mona@staff.example' });
  const { id: fromId } = bed.people.local('erin', {}, { approved: false });
  bed.server.send(Account.notify.to(mona.id, { type: 'admin.sign_up', fromId }));
  await bed.settle();
  const [told] = await bed.parsed('mona@staff.example');
  expect(told!.headers.get('list')).toMatchObject({ id: { name: 'admin.sign_up.mona.here.example' } });
  bed.server.callNow(Account.changeMailSettings.to(mona.id, { on: [], off: ['admin.sign_up'] }));
  bed.server.send(Account.notify.to(mona.id, { type: 'admin.sign_up', fromId }));
  await bed.settle();
  expect(bed.to('mona@staff.example')).toHaveLength(1);
});

test('appeals are a kind of their own, which those may switch off who decide about them', async () => {
  const ada = bed.people.local('ada', {}, { role: 'admin', email: 'ada@staff.example' });
  bed.server.callNow(Account.warn.to(alice.id, { action: 'none', text: 'Please do not.' }));
  const [{ id: strikeId } = { id: 0n }] = warningsOf(bed.server.read, alice.id, { limit: 1 }).items;
  bed.server.callNow(Account.appeal.to(alice.id, { strikeId, text: 'I did not', staffIds: [ada.id] }));
  await bed.settle();
  const [told] = await bed.parsed('ada@staff.example');
  expect(told!.headers.get('list')).toMatchObject({ id: { name: 'admin.appeal.ada.here.example' } });
  expect(
    (['admin', 'moderator', 'user'] as const).map((role) => topicsOf(builtInRoles[role]).includes('admin.appeal')),
  ).toEqual([true, false, false]);
});
