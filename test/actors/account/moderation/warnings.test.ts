/** Warnings by moderation, which the account is notified of. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { findWarning, warningsOf } from '../../../../src/actors/account/moderation/warnings.queries.ts';
import { warnings } from '../../../../src/actors/account/moderation/warnings.state.ts';
import { notificationLimits } from '../../../../src/actors/account/notifications/limits.ts';
import { NotificationPolicy } from '../../../../src/actors/policy/notification-policy.ts';
import type { Envelope } from '../../../../src/runtime/contract.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { storedNotifications } from '../../../support/stored-notifications.ts';

let people: People;
let alice: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
});

const warn = (person: Person, text = 'Be kind') =>
  people.server.call(Account.warn.to(person.id, { action: 'none', text }));

/** Newest first. */
function stored(person: Person) {
  people.expectSound();
  return storedNotifications(people.server.read, person.id, {}, { limit: 10 }, (_id, notification) => notification)
    .items;
}

test('each is kept by itself, as one of the account about itself', async () => {
  await warn(alice, 'Be kind');
  await warn(alice, 'Be kinder');
  const kept = (text: string) => ({
    type: 'moderation_warning',
    accountId: alice.id,
    createdAt: people.server.clock.now(),
    warning: { action: 'none', text },
  });
  expect(stored(alice)).toEqual([kept('Be kinder'), kept('Be kind')]);
});

test('is not filtered by any policy', async () => {
  const dropped = NotificationPolicy.keyof().options.map((rule) => [rule, 'drop']);
  await people.server.call(Account.changeNotificationPolicy.to(alice.id, Object.fromEntries(dropped)));
  await warn(alice);
  expect(stored(alice)).toMatchObject([{ type: 'moderation_warning' }]);
});

describe('stays when its notification goes', () => {
  const kept = () => warningsOf(people.server.read, alice.id, { limit: 10 }).items;
  const texts = () => kept().map(({ text }) => text);

  test.each<[string, (id: bigint) => Envelope]>([
    ['is dismissed', (notificationId) => Account.dismissNotification.to(alice.id, { notificationId })],
    ['is cleared with all others', () => Account.clearNotifications.to(alice.id, {})],
  ])('which %s', async (_what, message) => {
    await warn(alice, 'Be kind');
    const { id } = kept()[0]!;
    await people.server.call(message(id) as ReturnType<typeof Account.clearNotifications.to>);
    expect(stored(alice)).toEqual([]);
    const warning = { id, action: 'none', text: 'Be kind', createdAt: people.server.clock.now() };
    expect(kept()).toEqual([warning]);
    expect(findWarning(people.server.read, alice.id, id)).toEqual(warning);
  });

  test('one page after another, newest first', async () => {
    for (const text of ['one', 'two', 'three']) await warn(alice, text);
    const first = warningsOf(people.server.read, alice.id, { limit: 2 });
    expect(first.items.map(({ text }) => text)).toEqual(['three', 'two']);
    const second = warningsOf(people.server.read, alice.id, { limit: 2, maxId: first.oldest });
    expect(second.items.map(({ text }) => text)).toEqual(['one']);
  });

  test('up to a bound, above which the oldest goes', async () => {
    const { warningsKeptMax } = notificationLimits;
    for (let number = 0; number <= warningsKeptMax; number += 1) await warn(alice, `${number}`);
    await people.server.call(Account.clearNotifications.to(alice.id, {}));
    expect(warningsOf(people.server.read, alice.id, { limit: 300 }).items).toHaveLength(warningsKeptMax);
    expect(texts()[0]).toBe(`${warningsKeptMax}`);
    const [oldest] = warningsOf(people.server.read, alice.id, { limit: 1, minId: 0n }).items;
    expect(oldest?.text).toBe('1');
  });
});

test('of an earlier version is found while its notification is there', async () => {
  await warn(alice, 'Be kind');
  const [warning] = warningsOf(people.server.read, alice.id, { limit: 1 }).items;
  people.server.turn(Account.actor, alice.id, (turn) => turn.delete(warnings, [alice.id, warning!.id]));
  expect(findWarning(people.server.read, alice.id, warning!.id)).toEqual(warning);
  expect(findWarning(people.server.read, alice.id, warning!.id + 1n)).toBeUndefined();
});

test('reaches nobody who is remote, unknown or suspended, who could not read it', async () => {
  const remote = people.remote('rita', 'there.example');
  await expect(warn(remote)).rejects.toMatchObject({ code: 'notFound' });
  await expect(warn({ ...alice, id: alice.id + 1n })).rejects.toMatchObject({ code: 'notFound' });
  people.suspend(alice);
  await expect(warn(alice)).rejects.toMatchObject({ code: 'forbidden' });
  expect([...stored(remote), ...stored(alice)]).toEqual([]);
});
