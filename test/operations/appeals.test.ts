/** Appeals against strikes: once, in time, by whoever was struck; decided once, and what an approval takes back. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { warningsOf } from '../../src/actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../src/actors/account/notifications/limits.ts';
import { findLocalAccount, loginStateOf } from '../../src/actors/account/profile/logins.queries.ts';
import { findStatusRecord } from '../../src/actors/account/remote/federation.queries.ts';
import { auditPage } from '../../src/actors/audit.queries.ts';
import { approveAppeal, listAppeals, rejectAppeal, showAppeal } from '../../src/operations/administration/appeals.ts';
import { disableAccount } from '../../src/operations/administration/disable-account.ts';
import { limitAccount } from '../../src/operations/administration/limit-account.ts';
import { markAccountSensitive } from '../../src/operations/administration/mark-account-sensitive.ts';
import { removeAccountData } from '../../src/operations/administration/remove-account.ts';
import { suspendAccount } from '../../src/operations/administration/suspend-account.ts';
import { warnAccount } from '../../src/operations/administration/warn-account.ts';
import { markReportedSensitive } from '../../src/operations/reports/act-on-statuses.ts';
import { appealStrike, listOwnStrikes, showOwnStrike } from '../../src/operations/strikes/own-strikes.ts';
import type { Person } from '../support/observer.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let bob: Person;
let ada: Person;

beforeEach(() => {
  callers = new Callers();
  bob = callers.people.local('bob');
  ada = callers.people.local('ada', {}, { role: 'admin' });
});

const as = (person: Person) => callers.as(person);
const newest = (of: Person) => warningsOf(callers.people.server.read, of.id, { limit: 1 }).items[0]!;
const appeal = (text = 'I was kind', of = bob) => appealStrike(as(of), { strikeId: newest(of).id, text });
const pending = () => listAppeals(as(ada), { limit: 40 }).items;
const loginState = () => loginStateOf(findLocalAccount(callers.people.server.read, bob.id)!);

describe.each([
  ['none', warnAccount],
  ['disable', disableAccount],
  ['sensitive', markAccountSensitive],
  ['silence', limitAccount],
  ['suspend', suspendAccount],
] as const)('against %s', (action, decide) => {
  beforeEach(async () => {
    await decide(as(ada), { account: bob.id, text: 'Be kind' });
    await appeal();
  });

  test('waits, until it is approved: what was done is taken back', async () => {
    const [{ appeal: waiting }] = pending() as [ReturnType<typeof pending>[number]];
    expect(waiting).toMatchObject({ text: 'I was kind', at: callers.services.now() });
    const decided = await approveAppeal(as(ada), { appealId: waiting.appealId });
    expect(decided.appeal).toMatchObject({ isApproved: true, decidedById: ada.id, decidedAt: callers.services.now() });
    const { sensitized, limited, suspendedAt, dataKeptUntil } = callers.people.profile(bob)!;
    expect([sensitized, limited, suspendedAt, dataKeptUntil]).toEqual([undefined, false, undefined, undefined]);
    expect(loginState()).toBe('active');
    expect(pending()).toEqual([]);
    expect(listAppeals(as(ada), { limit: 40, state: 'approved' }).items).toEqual([decided]);
    expect(auditPage(callers.people.server.read, { action: 'approveAppeal' }, { limit: 2 }).items).toMatchObject([
      { targetId: String(waiting.appealId), name: 'bob', accountId: ada.id },
    ]);
  });

  test('is rejected: what was done stays', async () => {
    const before = callers.people.profile(bob)!;
    const { appealId } = pending()[0]!.appeal;
    await rejectAppeal(as(ada), { appealId });
    expect(callers.people.profile(bob)).toEqual(before);
    expect(showAppeal(as(ada), { appealId }).appeal).toMatchObject({ isApproved: false });
    const [notified] = storedNotifications(
      callers.people.server.read,
      bob.id,
      {},
      { limit: 1 },
      (_id, one) => one,
    ).items;
    expect(notified).toMatchObject({ warning: { action, appeal: { appealId, isApproved: false } } });
  });
});

test('takes back the marks of posts that were reported, but not of others', async () => {
  const { people } = callers;
  const [marked, own] = [
    await people.publish(bob, { withMedia: true }),
    await people.publish(bob, { withMedia: true }),
  ];
  const said = { targetId: bob.id, statusIds: [marked.id], ruleIds: [], category: 'spam' as const, comment: '' };
  const { reportId } = await people.server.call(Account.fileReport.to(ada.id, said));
  await markReportedSensitive(as(ada), { reportId });
  await people.server.call(Account.markSensitive.to(bob.id, { statusId: own.id, destinations: [] }));
  await appeal();
  const sensitive = () => [marked, own].map(({ id }) => findStatusRecord(people.server.read, id)!.sensitive);
  expect(sensitive()).toEqual([true, true]);
  const { appeal: waiting } = await approveAppeal(as(ada), { appealId: pending()[0]!.appeal.appealId });
  expect(sensitive()).toEqual([false, true]);
  const [entry] = auditPage(people.server.read, { action: 'approveAppeal' }, { limit: 1 }).items;
  expect(entry).toMatchObject({ reportId, targetId: String(waiting.appealId) });
});

describe('is refused', () => {
  const refused = (text?: string) => expect(appeal(text)).rejects;

  test('a second time, also after it was rejected', async () => {
    await warnAccount(as(ada), { account: bob.id, text: 'Be kind' });
    await appeal();
    await refused().toMatchObject({ code: 'validation', reason: 'appealedAlready' });
    await rejectAppeal(as(ada), { appealId: pending()[0]!.appeal.appealId });
    await refused().toMatchObject({ reason: 'appealedAlready' });
  });

  test('after twenty days', async () => {
    await warnAccount(as(ada), { account: bob.id, text: 'Be kind' });
    callers.people.server.clock.advance(notificationLimits.appealMilliseconds + 1);
    await refused().toMatchObject({ code: 'validation', reason: 'appealTooLate' });
    expect(pending()).toEqual([]);
  });

  test.each([
    ['', 'blank'],
    ['x'.repeat(notificationLimits.appealCharactersMax + 1), 'tooLong'],
  ])('with %s', async (text, kind) => {
    await warnAccount(as(ada), { account: bob.id, text: 'Be kind' });
    await refused(text).toMatchObject({ problems: { text: [{ kind }] } });
    expect(newest(bob).appeal).toBeUndefined();
  });

  test('against what happened to somebody else', async () => {
    await warnAccount(as(ada), { account: bob.id, text: 'Be kind' });
    const carol = callers.people.local('carol');
    const { id: strikeId } = newest(bob);
    await expect(appealStrike(as(carol), { strikeId, text: 'Mine' })).rejects.toMatchObject({ code: 'notFound' });
    expect(() => showOwnStrike(as(carol), { strikeId })).toThrow(expect.objectContaining({ code: 'notFound' }));
    expect(listOwnStrikes(as(carol), { limit: 40 }).items).toEqual([]);
  });
});

describe('who decides', () => {
  test('second is told who was first, and what', async () => {
    await limitAccount(as(ada), { account: bob.id });
    await appeal();
    const { appealId } = pending()[0]!.appeal;
    await approveAppeal(as(ada), { appealId });
    const zoe = callers.people.local('zoe', {}, { role: 'admin' });
    const text = expect.stringMatching(/^The appeal was approved already by ada, at /);
    await expect(rejectAppeal(as(zoe), { appealId })).rejects.toMatchObject({ code: 'validation', text });
    expect(newest(bob).appeal?.isApproved).toBe(true);
  });

  test('at the same moment as somebody else is told so too', async () => {
    await limitAccount(as(ada), { account: bob.id });
    await appeal();
    const { appealId } = pending()[0]!.appeal;
    const both = await Promise.allSettled([approveAppeal(as(ada), { appealId }), rejectAppeal(as(ada), { appealId })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(auditPage(callers.people.server.read, { target: 'appeal' }, { limit: 5 }).items).toHaveLength(1);
  });

  test('has a higher role than who was struck', async () => {
    const zoe = callers.people.local('zoe', {}, { role: 'admin' });
    const owner = callers.people.local('owner', {}, { role: 'owner' });
    await limitAccount(as(owner), { account: zoe.id });
    await appeal('I was kind', zoe);
    const { appealId } = pending()[0]!.appeal;
    expect(() => approveAppeal(as(ada), { appealId })).toThrow(expect.objectContaining({ code: 'forbidden' }));
    await approveAppeal(as(owner), { appealId });
  });

  test('cannot bring back what was removed', async () => {
    await suspendAccount(as(ada), { account: bob.id });
    await appeal();
    await removeAccountData(as(ada), { account: bob.id });
    const { appealId } = pending()[0]!.appeal;
    await expect(approveAppeal(as(ada), { appealId })).rejects.toMatchObject({ code: 'validation' });
    await rejectAppeal(as(ada), { appealId });
  });
});

test('is forgotten with the oldest strikes', async () => {
  await warnAccount(as(ada), { account: bob.id, text: 'First' });
  await appeal();
  for (let count = 0; count < notificationLimits.warningsKeptMax; count += 1)
    await callers.people.server.call(Account.warn.to(bob.id, { action: 'none', text: 'Again' }));
  expect(pending()).toEqual([]);
  callers.people.expectSound();
});
