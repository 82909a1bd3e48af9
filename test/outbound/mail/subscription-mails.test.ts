/** Posts by mail: who subscribes and confirms it, what is sent, and all that ends it. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { emailSubscriptionsOf } from '../../../src/actors/account/email-subscriptions/email-subscriptions.queries.ts';
import {
  emailSubscriptionOf,
  emailSubscriptions,
} from '../../../src/actors/account/email-subscriptions/email-subscriptions.state.ts';
import { emailSubscriptionLimits } from '../../../src/actors/account/email-subscriptions/limits.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { endEmailSubscriptions } from '../../../src/operations/administration/end-email-subscriptions.ts';
import { operator } from '../../../src/operations/caller.ts';
import { allowEmailSubscriptions } from '../../../src/operations/email-subscriptions/allow-email-subscriptions.ts';
import {
  confirmEmailSubscription,
  endEmailSubscription,
  subscribeByEmail,
} from '../../../src/operations/email-subscriptions/subscribe-by-email.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import type { Services } from '../../../src/services/services.ts';
import { importPost } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { until } from '../../support/until.ts';
import { MailBed, refusedAt } from './mail-bed.ts';

const { mailWaitMilliseconds, unconfirmedMilliseconds, mailsADayMax, mailsPerTurnMax } = emailSubscriptionLimits;
const { confirmationAgainMilliseconds } = emailSubscriptionLimits;
const day = 24 * 60 * 60 * 1_000;
const zoe = 'zoe@birds.example';

let bed: MailBed;
let services: Services;
/** Whose role lets others subscribe. */
let alice: Person;

// What the first mail of a process loads.
beforeAll(() => import('nodemailer/lib/mail-composer'));

beforeEach(async () => {
  bed = new MailBed();
  services = { ...bed.services, mail: { ...bed.services.mail, isOn: true } };
  bed.server.callNow(Instance.changeSettings.to(instanceKey, { emailSubscriptions: true }));
  alice = bed.people.local('alice', { displayName: 'Alice' }, { role: 'owner', locale: 'de' });
  await allow(alice);
});

const visitor = () => ({ caller: { kind: 'visitor', accountId: undefined, limits: unlimited } as const, services });
const as = ({ id: accountId }: Person) => ({
  caller: { kind: 'account', accountId, limits: unlimited } as const,
  services,
});
const allow = (who: Person, isAllowed = true) => allowEmailSubscriptions(as(who), { isAllowed });
const subscribe = (email = zoe, who = alice) => subscribeByEmail(visitor(), { accountId: who.id, email, locale: 'en' });
const counts = (who = alice) => emailSubscriptionsOf(bed.server.read, who.id);
/** Nothing is left of any address. */
const expectNothingKept = () => {
  const { read } = bed.server;
  expect([...read.range(emailSubscriptions, [alice.id]), ...read.range(emailSubscriptionOf, [alice.id])]).toEqual([]);
  expect(counts()).toMatchObject({ total: 0, confirmed: 0 });
};
const tokenIn = (text: string | undefined, path: string) =>
  new RegExp(`/email_subscriptions/${path}\\?token=([\\w.-]+)`).exec(text ?? '')?.[1] ?? '';
const subjects = async (email = zoe) => (await bed.parsed(email)).map(({ subject }) => subject);

async function confirmed(email = zoe): Promise<void> {
  await subscribe(email);
  await bed.settle();
  const token = tokenIn((await bed.parsed(email)).at(-1)?.text, 'confirmation');
  await confirmEmailSubscription(visitor(), { token });
}

/** When what was written is due. */
async function later(milliseconds = mailWaitMilliseconds): Promise<void> {
  await bed.advance(milliseconds + 1_000);
  await bed.settle();
}

test('an address is asked first; then it gets each public post, those that follow each other in one mail', async () => {
  await subscribe(` ${zoe.toUpperCase()} `);
  await bed.settle();
  const [asked] = await bed.parsed(zoe);
  expect([asked!.subject, asked!.headers.get('list')]).toEqual(['Posts of Alice by mail?', undefined]);
  expect(asked!.text).not.toContain('Hello');
  await bed.people.publish(alice, { text: 'Nobody is told' });
  await later();
  await confirmEmailSubscription(visitor(), { token: tokenIn(asked!.text, 'confirmation') });
  await confirmEmailSubscription(visitor(), { token: tokenIn(asked!.text, 'confirmation') });
  expect(counts()).toMatchObject({ total: 1, confirmed: 1 });
  await later(confirmationAgainMilliseconds);
  await subscribe();
  await bed.settle();
  expect(await subjects()).toEqual(['Posts of Alice by mail?']);

  const bob = bed.people.local('bob');
  const bobs = await bed.people.publish(bob, { text: 'By bob' });
  const first = await bed.people.publish(alice, { text: 'The first wren' });
  await bed.people.publish(alice, { text: 'To bob', replyTo: bobs });
  await bed.people.publish(alice, { text: 'Quietly', visibility: 'unlisted' });
  await bed.people.publish(alice, { text: 'For followers', visibility: 'private' });
  await bed.people.reblog(alice, bobs);
  await bed.people.publish(alice, { text: 'And to it', replyTo: first });
  await bed.advance(1_000);
  const publishedAt = bed.server.clock.now();
  const written = { text: 'Elsewhere', uri: 'https://old.example/1', publishedAt, threadId: undefined };
  bed.server.callNow(importPost(alice, written));
  await later();
  const [, mail, ...others] = await bed.parsed(zoe);
  expect([mail!.subject, others]).toEqual(['2 new posts by Alice', []]);
  for (const text of ['The first wren', 'And to it', `/@alice/${first.id}`]) expect(mail!.text).toContain(text);
  for (const text of ['By bob', 'To bob', 'Quietly', 'For followers', 'Elsewhere', 'Hello'])
    expect(mail!.text).not.toContain(text);
  const content = String(bed.to(zoe)[1]!.content);
  expect(content).toContain('List-ID: <posts.alice.here.example>');
  expect(content).toMatch(/List-Unsubscribe:\s+<https?:\/\/[^>]*\/email_subscriptions\/unsubscribe\?token=/);
  expect(content).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const token = tokenIn(mail!.text, 'unsubscribe');
  await endEmailSubscription(visitor(), { token });
  await endEmailSubscription(visitor(), { token });
  expectNothingKept();
  await bed.people.publish(alice, { text: 'Not any more' });
  await later();
  expect(bed.to(zoe)).toHaveLength(2);
  expect([bed.dropped, bed.problems]).toEqual([[], []]);
});

test('an address that nobody confirms is asked again after a while, and then forgotten', async () => {
  await subscribe();
  await subscribe();
  await later(confirmationAgainMilliseconds);
  await subscribe();
  await bed.settle();
  expect(await subjects()).toHaveLength(2);
  const token = tokenIn((await bed.parsed(zoe)).at(-1)!.text, 'confirmation');
  await later(unconfirmedMilliseconds);
  expectNothingKept();
  await expect(confirmEmailSubscription(visitor(), { token })).rejects.toMatchObject({ reason: 'linkExpired' });
});

test.each<[string, () => unknown]>([
  ['the server', () => Instance.changeSettings.to(instanceKey, { emailSubscriptions: false })],
  ['its role', () => Account.changeLogin.to(alice.id, { role: 'admin' })],
  ['the account', () => Account.allowEmailSubscriptions.to(alice.id, { isAllowed: false })],
  ['a suspension', () => Account.changeLogin.to(alice.id, { suspended: true })],
])('%s ends what was offered, also what is under way', async (_what, end) => {
  await confirmed();
  await bed.people.publish(alice, { text: 'Too late' });
  bed.server.callNow(end() as Parameters<typeof bed.server.callNow>[0]);
  await later();
  expect(await subjects()).toEqual(['Posts of Alice by mail?']);
});

test('who may not offer it is refused, and nobody subscribes to whoever does not', async () => {
  const bob = bed.people.local('bob', {}, { role: 'admin' });
  await expect(allow(bob)).rejects.toMatchObject({ code: 'forbidden' });
  await allow(bob, false);
  const far = bed.people.remote('ron', 'there.example');
  for (const who of [bob, far]) await expect(subscribe(zoe, who)).rejects.toMatchObject({ code: 'notFound' });
  for (const email of ['', 'zoe', 'zoe@birds', `${'z'.repeat(320)}@birds.example`])
    await expect(subscribe(email)).rejects.toMatchObject({ code: 'validation' });
  await allow(alice, false);
  await expect(subscribe()).rejects.toMatchObject({ code: 'notFound' });
  for (const token of ['', 'x', `${alice.id}.1.${'A'.repeat(32)}`])
    for (const act of [confirmEmailSubscription, endEmailSubscription])
      await expect(act(visitor(), { token })).rejects.toMatchObject({ reason: 'linkExpired' });
  expect(bed.attempts).toEqual([]);
});

test('an address that refuses mail for good has ended its subscription', async () => {
  await confirmed();
  bed.answer = () => refusedAt('recipient', 550);
  await bed.people.publish(alice, { text: 'Nobody lives there' });
  await later();
  expectNothingKept();
});

test('many subscribers are told some at a time, and not oftener than so many times a day', async () => {
  const count = mailsPerTurnMax + 3;
  for (let number = 0; number < count; number += 1) {
    bed.server.callNow(Account.subscribeByEmail.to(alice.id, { email: `a${number}@b${number}.example`, locale: 'en' }));
    const id = [...bed.server.read.range(emailSubscriptions, [alice.id])].at(-1)!.key[1];
    bed.server.callNow(Account.confirmEmailSubscription.to(alice.id, { subscriptionId: id }));
  }
  await later();
  /** How many were sent since the last question, once as many were. */
  const told = async (wanted: number) => {
    const before = seen;
    const isTold = async () => {
      await bed.settle();
      return bed.attempts.length >= before + wanted;
    };
    await until(isTold, { description: 'the mails' });
    seen = bed.attempts.length;
    return seen - before;
  };
  let seen = bed.attempts.length;
  // The day begins with all mails.
  await bed.advance(day - (bed.server.clock.now() % day));
  await bed.people.publish(alice, { text: 'wren number one' });
  await later();
  expect(await told(mailsPerTurnMax)).toBe(mailsPerTurnMax);
  await later(emailSubscriptionLimits.mailsPauseMilliseconds);
  expect(await told(3)).toBe(3);
  for (let number = 2; number <= mailsADayMax; number += 1) {
    await bed.people.publish(alice, { text: `wren ${number}` });
    await later(60 * 60 * 1_000);
    expect(await told(count)).toBe(count);
  }
  await bed.people.publish(alice, { text: 'wren too many' });
  await later();
  expect(counts()).toMatchObject({ sent: { mails: mailsADayMax }, waiting: {} });
  expect(await told(0)).toBe(0);
  await later(day);
  expect(await told(count)).toBe(count);
});

test('staff end all subscriptions of an account, and nothing is left of them when an account is removed', async () => {
  await confirmed();
  await confirmed('yan@birds.example');
  await endEmailSubscriptions({ caller: operator, services }, { account: alice.id });
  await bed.settle();
  expectNothingKept();
  await expect(subscribe()).rejects.toMatchObject({ code: 'notFound' });
  await allow(alice);
  await confirmed('xenia@birds.example');
  bed.server.callNow(Account.changeLogin.to(alice.id, { suspended: true }));
  bed.server.callNow(Account.removeSuspended.to(alice.id, {}));
  await bed.settle();
  // Other servers are told first.
  for (const { answer } of bed.server.effects.splice(0)) answer({ activityId: 1n, destinations: [] });
  await bed.settle();
  expectNothingKept();
});
