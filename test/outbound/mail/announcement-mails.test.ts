/** What staff announce by mail to everybody, and what staff are told of trends that await a review. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findMailRecipients } from '../../../src/actors/instance/announcements/announcements.effects.ts';
import { findAnnouncement } from '../../../src/actors/instance/announcements/announcements.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import { findTermsReaders } from '../../../src/actors/instance/terms/terms.effects.ts';
import {
  mailAnnouncement,
  publishAnnouncement,
  withdrawAnnouncement,
} from '../../../src/operations/administration/announcements.ts';
import { publishTerms, tellTerms, withdrawTerms } from '../../../src/operations/administration/terms.ts';
import { mailRecipientsRunner, termsReadersRunner } from '../../../src/operations/announcements/mail-recipients.ts';
import { operator } from '../../../src/operations/caller.ts';
import { tellAwaitedReviews } from '../../../src/operations/trends/tell-awaited-reviews.ts';
import type { Services } from '../../../src/services/services.ts';
import { until } from '../../support/until.ts';
import { MailBed } from './mail-bed.ts';

const { recipientsPerSlice, recipientsPauseMilliseconds, trendsToldMilliseconds } = instanceLimits;
const hour = 60 * 60 * 1_000;

let bed: MailBed;
let services: Services;

// What the first mail of a process loads.
beforeAll(() => import('nodemailer/lib/mail-composer'));

beforeEach(() => {
  bed = new MailBed();
  services = { ...bed.services, mail: { ...bed.services.mail, isOn: true } };
});

const asOperator = () => ({ caller: operator, services });
const publish = async () =>
  (await publishAnnouncement(asOperator(), { text: 'Tea at five, in the harbour', allDay: false })).announcementId;
const tellersOf = () => new Set(bed.attempts.map(({ to }) => to));

/** Lanes send some at a time. */
async function sentTo(count: number): Promise<void> {
  const isSent = async () => {
    await bed.settle();
    return tellersOf().size >= count;
  };
  await until(isSent, { description: 'the mails' });
  expect(tellersOf().size).toBe(count);
}

/** As network threads do; a crash may run one twice, which is answered once. */
async function runEffects(): Promise<void> {
  const runners = new Map([mailRecipientsRunner(services), termsReadersRunner(services)]);
  await bed.settle();
  for (const { effect, request, answer } of bed.server.effects.splice(0)) {
    if (effect !== findMailRecipients.number && effect !== findTermsReaders.number) continue;
    const run = runners.get(effect)!;
    await run(request);
    answer(await run(request));
  }
  await bed.settle();
}

test('an announcement goes to everybody who is confirmed and wants it, once, with a way to switch such mails off', async () => {
  bed.people.local('alice', {}, { locale: 'en' });
  bed.people.local('bob', {}, { confirmed: false });
  bed.people.local('carol', {}, { disabled: true });
  const dora = bed.people.local('dora');
  bed.server.callNow(Account.changeMailSettings.to(dora.id, { on: [], off: ['announcement'] }));
  const announcementId = await publish();
  await mailAnnouncement(asOperator(), { announcementId });
  await runEffects();
  const [mail, ...others] = await bed.parsed('alice@example.org');
  expect(others).toEqual([]);
  expect(mail!.subject).toBe('Announcement of here.example');
  expect(mail!.text).toContain('> Tea at five, in the harbour');
  expect(mail!.headers.get('list')).toMatchObject({ id: { name: 'announcement.alice.here.example' } });
  expect(tellersOf()).toEqual(new Set(['alice@example.org']));
  expect(findAnnouncement(bed.server.read, announcementId)?.mailedAt).toBeDefined();
  await expect(mailAnnouncement(asOperator(), { announcementId })).rejects.toThrow(/already/);
  await runEffects();
  expect(bed.to('alice@example.org')).toHaveLength(1);
});

test('many accounts are told in slices with a pause, each once, also when the thread dies in between', async () => {
  const count = recipientsPerSlice + 5;
  for (let number = 0; number < count; number += 1) bed.people.local(`person${number}`);
  const announcementId = await publish();
  await mailAnnouncement(asOperator(), { announcementId });
  await runEffects();
  await sentTo(recipientsPerSlice);
  await bed.crash();
  await bed.advance(recipientsPauseMilliseconds);
  await runEffects();
  await sentTo(count);
  expect(bed.attempts).toHaveLength(count);
});

test('nobody is told any more of an announcement that was withdrawn', async () => {
  for (let number = 0; number <= recipientsPerSlice; number += 1) bed.people.local(`person${number}`);
  const announcementId = await publish();
  await mailAnnouncement(asOperator(), { announcementId });
  await withdrawAnnouncement(asOperator(), { announcementId });
  await runEffects();
  await bed.advance(hour);
  await runEffects();
  expect(bed.attempts).toEqual([]);
});

test('everybody is told of new terms of service, also who wants no mails, and in slices', async () => {
  const alice = bed.people.local('alice', {}, { locale: 'en' });
  bed.server.callNow(Account.changeMailSettings.to(alice.id, { on: [], off: ['announcement'] }));
  bed.people.local('bob', {}, { confirmed: false });
  for (let number = 0; number < recipientsPerSlice; number += 1) bed.people.local(`person${number}`);
  const day = 47_482; // the last of 2099
  await publishTerms(asOperator(), { day, text: 'Be kind', isHtml: false });
  await tellTerms(asOperator(), { day });
  await runEffects();
  const [mail, ...others] = await bed.parsed('alice@example.org');
  expect(others).toEqual([]);
  expect(mail!.subject).toBe('The terms of service of here.example change');
  expect(mail!.text).toContain('They hold from 1 January 2100.');
  expect(mail!.text).toContain('https://here.example/terms-of-service?date=2100-01-01');
  await bed.advance(recipientsPauseMilliseconds);
  await runEffects();
  await sentTo(recipientsPerSlice + 1);
});

test('nobody is told of terms of service that were withdrawn', async () => {
  bed.people.local('alice');
  const day = 47_482;
  await publishTerms(asOperator(), { day, text: 'Be kind', isHtml: false });
  await tellTerms(asOperator(), { day });
  await withdrawTerms(asOperator(), { day });
  await runEffects();
  expect(bed.attempts).toEqual([]);
});

test('without an SMTP server an announcement is not sent', async () => {
  services = bed.services;
  const announcementId = await publish();
  await expect(mailAnnouncement(asOperator(), { announcementId })).rejects.toThrow('This server sends no mail.');
  expect(findAnnouncement(bed.server.read, announcementId)?.mailedAt).toBeUndefined();
});

test('staff hear once a day of what would trend and awaits a review, and of nothing twice', async () => {
  bed.people.local('mona', {}, { role: 'moderator', email: 'mona@staff.example', locale: 'en' });
  const author = bed.people.local('author');
  const trend = (tag: string) => bed.people.publish(author, { text: `<p>About ${tag}</p>`, tags: [tag] });
  const told = async () => {
    await tellAwaitedReviews(services);
    await bed.settle();
    return (await bed.parsed('mona@staff.example')).map(({ text }) => text ?? '');
  };
  await trend('birds');
  // Everything trends until staff decide otherwise: nothing awaits them.
  expect(await told()).toEqual([]);
  await bed.server.call(Instance.changeSettings.to(instanceKey, { trendableByDefault: false }));
  const [mail] = await told();
  expect(mail).toContain('#birds');
  expect(mail).toContain('https://here.example/admin/trends');
  await bed.advance(hour);
  await trend('boats');
  expect(await told()).toHaveLength(1);
  await bed.advance(trendsToldMilliseconds);
  await trend('books');
  await bed.server.call(
    Instance.reviewTrend.to(instanceKey, { kind: 'tag', name: 'books', label: '#books', isTrendable: false }),
  );
  const [, second, ...others] = await told();
  expect([second?.includes('#boats'), second?.includes('#birds'), second?.includes('#books'), others.length]).toEqual([
    true,
    false,
    false,
    0,
  ]);
});
