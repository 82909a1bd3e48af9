/** What staff do about accounts of this and of other servers: strikes, what they end and begin, reports that they close. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { mailOf } from '../../src/actors/account/mail/mail.queries.ts';
import { warningsOf } from '../../src/actors/account/moderation/warnings.queries.ts';
import { findLocalAccount, loginStateOf } from '../../src/actors/account/profile/logins.queries.ts';
import { findReport } from '../../src/actors/account/reports/reports.queries.ts';
import { severances } from '../../src/actors/account/severed/severed.state.ts';
import { auditPage } from '../../src/actors/audit.queries.ts';
import { suspendedDataMilliseconds } from '../../src/actors/policy/suspension.ts';
import { disableAccount, enableAccount } from '../../src/operations/administration/disable-account.ts';
import { limitAccount, unlimitAccount } from '../../src/operations/administration/limit-account.ts';
import {
  markAccountSensitive,
  unmarkAccountSensitive,
} from '../../src/operations/administration/mark-account-sensitive.ts';
import { suspendAccount, unsuspendAccount } from '../../src/operations/administration/suspend-account.ts';
import { warnAccount } from '../../src/operations/administration/warn-account.ts';
import type { AccountCaller } from '../../src/operations/caller.ts';
import type { OperationContext } from '../../src/operations/operation.ts';
import {
  deleteReportedStatuses,
  deleteStatuses,
  markReportedSensitive,
  markStatusesSensitive,
} from '../../src/operations/reports/act-on-statuses.ts';
import type { Person } from '../support/observer.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let bob: Person;
let mona: Person;
let asMona: OperationContext<AccountCaller>;

beforeEach(() => {
  callers = new Callers();
  bob = callers.people.local('bob');
  mona = callers.people.local('mona', {}, { role: 'moderator' });
  asMona = callers.as(mona);
});

const strikes = ({ id }: Person) => warningsOf(callers.people.server.read, id, { limit: 40 }).items;
const profile = (person: Person) => callers.people.profile(person)!;
const now = () => callers.people.server.clock.now();

async function report(
  of: Person,
  by = callers.people.local(`reporter_${of.name}`),
  statusIds: bigint[] = [],
): Promise<bigint> {
  const said = { targetId: of.id, statusIds, ruleIds: [], category: 'spam' as const, comment: '' };
  return (await callers.people.server.call(Account.fileReport.to(by.id, said))).reportId;
}
const storedOf = ({ id }: Person) =>
  storedNotifications(callers.people.server.read, id, {}, { limit: 40 }, (_id, one) => one).items;
const follows = (one: Person, other: Person) => callers.people.relationship(one, other).follow !== undefined;
const isOpen = (reportId: bigint) => findReport(callers.people.server.read, reportId)?.resolvedAt === undefined;

const decisions = [
  ['none', warnAccount, undefined, {}],
  ['disable', disableAccount, enableAccount, {}],
  ['sensitive', markAccountSensitive, unmarkAccountSensitive, { sensitized: true }],
  ['silence', limitAccount, unlimitAccount, { limited: true }],
  ['suspend', suspendAccount, unsuspendAccount, {}],
] as const;

describe.each(decisions)('%s', (action, decide, end, shown) => {
  test('is a strike, which the account is told of, and is undone', async () => {
    await decide(asMona, { account: bob.id, text: 'Be kind' });
    expect(strikes(bob)).toMatchObject([{ action, text: 'Be kind', byId: mona.id, createdAt: now() }]);
    expect(profile(bob)).toMatchObject(shown);
    const state = loginStateOf(findLocalAccount(callers.people.server.read, bob.id)!);
    expect(state).toBe(action === 'disable' || action === 'suspend' ? 'disabled' : 'active');
    const [notified] = storedOf(bob);
    expect(notified).toMatchObject({ type: 'moderation_warning', warning: { action, text: 'Be kind' } });
    if (end === undefined) return;
    await end(asMona, { account: bob.id });
    const { sensitized, limited, suspendedAt, dataKeptUntil } = profile(bob);
    expect([sensitized, limited, suspendedAt, dataKeptUntil]).toEqual([undefined, false, undefined, undefined]);
    expect(loginStateOf(findLocalAccount(callers.people.server.read, bob.id)!)).toBe('active');
  });

  test('in silence where that is wanted', async () => {
    await decide(asMona, { account: bob.id, text: 'Be kind', tells: false });
    expect(strikes(bob)).toHaveLength(1);
    expect(storedOf(bob)).toEqual([]);
    expect(mailOf(callers.people.server.read, bob.id)).toEqual({});
  });

  test('closes the reports that led to it', async () => {
    const [led, other] = [await report(bob), await report(bob, callers.people.local('carol'))];
    await decide(asMona, { account: bob.id, text: 'Be kind', reportId: led });
    expect([isOpen(led), isOpen(other)]).toEqual([false, action === 'none']);
    expect(findReport(callers.people.server.read, led)).toMatchObject({ resolvedById: mona.id });
    expect(strikes(bob)).toMatchObject([{ reportId: led }]);
  });

  if (end === undefined) return;

  test('by two at the same moment: the second is told who was first', async () => {
    await decide(asMona, { account: bob.id });
    const dora = callers.as(callers.people.local('dora', {}, { role: 'admin' }));
    const failed = { code: 'validation', text: expect.stringMatching(/bob is .* already by mona, since 20/) };
    await expect(decide(dora, { account: bob.id })).rejects.toMatchObject(failed);
    expect(strikes(bob)).toHaveLength(1);
  });
});

test('a report that somebody else has closed, or that is about another account, leads to nothing', async () => {
  const reportId = await report(bob);
  await warnAccount(asMona, { account: bob.id, text: 'Be kind', reportId });
  const dora = callers.as(callers.people.local('dora', {}, { role: 'admin' }));
  const closed = { code: 'validation', text: expect.stringContaining('was closed by mona') };
  await expect(suspendAccount(dora, { account: bob.id, reportId })).rejects.toMatchObject(closed);
  expect(profile(bob).suspendedAt).toBeUndefined();
  const carol = callers.people.local('carol');
  await expect(limitAccount(dora, { account: carol.id, reportId })).rejects.toMatchObject({ code: 'notFound' });
  expect([strikes(bob).length, strikes(carol)]).toEqual([1, []]);
});

describe.each([
  ['delete_statuses', deleteReportedStatuses],
  ['mark_statuses_as_sensitive', markReportedSensitive],
] as const)('from a report: %s', (action, act) => {
  const isGone = action === 'delete_statuses';

  test.each(['here', 'elsewhere'])('of an account %s', async (where) => {
    const { people } = callers;
    const author = where === 'here' ? bob : people.remote('eve', 'there.test');
    const [post, other] = [await people.publish(author, { withMedia: true }), await people.publish(author)];
    const reportId = await report(author, undefined, [post.id]);
    const otherId = await report(author, people.local('carol'), [other.id]);
    if (where === 'here') await people.follow(people.remote('rita', 'there.test'), author);
    people.takeDeliveries();
    await act(asMona, { reportId, text: 'Cover it' });
    expect(strikes(author)).toMatchObject([{ action, statusIds: [post.id], reportId, text: 'Cover it' }]);
    // Another one may be about something else.
    expect([isOpen(reportId), isOpen(otherId)]).toEqual([false, true]);
    expect(people.statusRecord(post.id)?.sensitive).toBe(isGone ? undefined : true);
    expect(people.statusRecord(other.id)).toMatchObject({ sensitive: false });
    const told = people.takeDeliveries().map(({ intent }) => intent.kind);
    expect(told).toEqual(where === 'elsewhere' ? [] : [isGone ? 'delete' : 'update']);
    await expect(act(asMona, { reportId })).rejects.toMatchObject({ code: 'validation' });
    people.expectSound();
  });

  test('that names nothing that is there, or is about an equal, leads to nothing', async () => {
    const dora = callers.people.local('dora', {}, { role: 'moderator' });
    const post = await callers.people.publish(dora, { withMedia: true });
    const [empty, equal] = [await report(bob), await report(dora, undefined, [post.id])];
    await expect(act(asMona, { reportId: empty })).rejects.toMatchObject({ code: 'validation' });
    await expect(async () => act(asMona, { reportId: equal })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(async () => act(asMona, { reportId: 1n })).rejects.toMatchObject({ code: 'notFound' });
    expect([isOpen(empty), isOpen(equal), strikes(bob), strikes(dora)]).toEqual([true, true, [], []]);
  });
});

describe.each([
  ['delete_statuses', deleteStatuses, 'deleteStatuses'],
  ['mark_statuses_as_sensitive', markStatusesSensitive, 'markStatusesSensitive'],
] as const)('without a report: %s', (action, act, written) => {
  test.each(['here', 'elsewhere'])('of an account %s', async (where) => {
    const { people } = callers;
    const author = where === 'here' ? bob : people.remote('eve', 'there.test');
    const [post, unlisted, other] = [
      await people.publish(author, { withMedia: true }),
      await people.publish(author, { withMedia: true, visibility: 'unlisted' }),
      await people.publish(author, { withMedia: true }),
    ];
    const reportId = await report(author);
    await act(asMona, { statusIds: [post.id, unlisted.id, post.id], text: 'Cover it' });
    const statusIds = [post.id, unlisted.id];
    expect(strikes(author)).toMatchObject([{ action, statusIds, text: 'Cover it', byId: mona.id }]);
    const isGone = action === 'delete_statuses';
    for (const id of statusIds) expect(people.statusRecord(id)?.sensitive).toBe(isGone ? undefined : true);
    expect(people.statusRecord(other.id)?.sensitive).toBe(false);
    // It may be about something else.
    expect(isOpen(reportId)).toBe(true);
    const [entry] = auditPage(people.server.read, { action: written }, { limit: 9 }).items;
    expect(entry).toMatchObject({ targetId: String(author.id), changes: [{ field: 'text' }, { field: 'posts' }] });
    const again = { code: isGone ? 'notFound' : 'validation' };
    await expect(async () => act(asMona, { statusIds: [post.id] })).rejects.toMatchObject(again);
    people.expectSound();
  });

  test('of nobody, of several, of an equal, or for some people only, leads to nothing', async () => {
    const { people } = callers;
    const dora = people.local('dora', {}, { role: 'moderator' });
    const of = (author: Person, visibility: 'public' | 'private' | 'direct' = 'public') =>
      people.publish(author, { withMedia: true, visibility });
    const [his, hers, hidden, direct] = [
      await of(bob),
      await of(dora),
      await of(bob, 'private'),
      await of(bob, 'direct'),
    ];
    const boost = await people.reblog(bob, hers);
    for (const [statusIds, code] of [
      [[], 'validation'],
      [[1n], 'notFound'],
      [[his.id, hers.id], 'validation'],
      [[hers.id], 'forbidden'],
      [[his.id, hidden.id], 'notFound'],
      [[direct.id], 'notFound'],
      [[boost.id], 'notFound'],
    ] as const)
      await expect(async () => act(asMona, { statusIds: [...statusIds] })).rejects.toMatchObject({ code });
    expect([strikes(bob), strikes(dora)]).toEqual([[], []]);
    expect(people.statusRecord(his.id)?.sensitive).toBe(false);
  });
});

describe('an account of another server', () => {
  let eve: Person;

  beforeEach(() => {
    eve = callers.people.remote('eve', 'there.test');
  });

  test.each(decisions.slice(2))('%s, and back; what its server tells changes nothing', async (action, decide, end) => {
    const before = profile(eve);
    await decide(asMona, { account: eve.id, text: 'Spam' });
    callers.people.learn(eve, { displayName: 'Eve', limited: false, suspendedAt: undefined, sensitized: undefined });
    const decided = profile(eve);
    expect([decided.sensitized === true, decided.limited, decided.suspendedAt !== undefined]).toEqual(
      ['sensitive', 'silence', 'suspend'].map((one) => one === action),
    );
    expect(strikes(eve)).toMatchObject([{ action, text: 'Spam' }]);
    await end!(asMona, { account: eve.id });
    const { suspendedAt, limited, sensitized } = profile(eve);
    expect({ suspendedAt, limited, sensitized }).toEqual({
      suspendedAt: before.suspendedAt,
      limited: before.limited,
      sensitized: before.sensitized,
    });
  });

  test('is neither warned nor disabled', async () => {
    for (const decide of [warnAccount, disableAccount])
      await expect(decide(asMona, { account: eve.id, text: 'Spam' })).rejects.toMatchObject({ code: 'validation' });
    await expect(enableAccount(asMona, { account: eve.id })).rejects.toMatchObject({ code: 'forbidden' });
    expect(strikes(eve)).toEqual([]);
  });

  test('is limited below a rule for its server, which takes back its own effect only', async () => {
    const { server } = callers.people;
    const rule = (severity: 'noop' | 'silence' | 'suspend') =>
      server.call(Account.treatByDomain.to(eve.id, { severity, domain: 'there.test' }));
    await rule('silence');
    await limitAccount(asMona, { account: eve.id });
    await rule('noop');
    expect(profile(eve).limited).toBe(true);
    await rule('suspend');
    await unlimitAccount(asMona, { account: eve.id });
    expect(profile(eve)).toMatchObject({ limited: false, suspendedAt: now() });
    await suspendAccount(asMona, { account: eve.id });
    await rule('noop');
    expect(profile(eve).suspendedAt).toBeDefined();
    await unsuspendAccount(asMona, { account: eve.id });
    expect(profile(eve).suspendedAt).toBeUndefined();
  });

  test('that its own server suspended is suspended here for good, and only then given back', async () => {
    callers.people.learn(eve, { isSuspendedByOrigin: true });
    await expect(unsuspendAccount(asMona, { account: eve.id })).rejects.toMatchObject({ code: 'forbidden' });
    await suspendAccount(asMona, { account: eve.id });
    callers.people.learn(eve, { isSuspendedByOrigin: undefined });
    expect(profile(eve).suspendedAt).toBeDefined();
    await unsuspendAccount(asMona, { account: eve.id });
    expect(profile(eve).suspendedAt).toBeUndefined();
  });

  test('loses its follows when it is suspended, and keeps its followers for thirty days', async () => {
    const { people } = callers;
    await people.follow(eve, bob);
    await people.follow(bob, eve);
    await people.authorize(eve, bob);
    people.takeDeliveries();
    await suspendAccount(asMona, { account: eve.id });
    people.server.settle();
    expect([follows(eve, bob), follows(bob, eve)]).toEqual([false, true]);
    expect(people.takeDeliveries()).toMatchObject([
      { intent: { kind: 'rejectFollow', actorId: bob.id, targetId: eve.id } },
    ]);
    people.server.clock.advance(60_000);
    expect(storedOf(bob)[0]).toMatchObject({
      type: 'severed_relationships',
      severance: { type: 'account_suspension', targetName: 'eve@there.test', followersCount: 1, followingCount: 0 },
    });
    expect([...people.server.read.range(severances, [bob.id])]).toHaveLength(1);
    people.server.clock.advance(suspendedDataMilliseconds);
    people.server.settle();
    expect(follows(bob, eve)).toBe(false);
    people.server.clock.advance(60_000);
    expect(storedOf(bob)[0]).toMatchObject({
      type: 'severed_relationships',
      severance: { type: 'account_suspension', targetName: 'eve@there.test', followersCount: 0, followingCount: 1 },
    });
    people.expectSound();
    expect(profile(eve)).toMatchObject({ dataRemovedAt: expect.any(Number), displayName: '' });
  });

  test('that is given back in time loses nothing more', async () => {
    const { people } = callers;
    await people.follow(bob, eve);
    await people.authorize(eve, bob);
    await suspendAccount(asMona, { account: eve.id });
    await unsuspendAccount(asMona, { account: eve.id });
    people.server.clock.advance(suspendedDataMilliseconds * 2);
    people.server.settle();
    expect([follows(bob, eve), profile(eve).dataRemovedAt]).toEqual([true, undefined]);
  });
});
