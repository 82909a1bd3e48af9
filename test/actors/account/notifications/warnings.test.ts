/** Warnings by moderation, which the account is notified of. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { NotificationPolicy } from '../../../../src/actors/policy/notification-policy.ts';
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

test('reaches nobody who is remote, unknown or suspended, who could not read it', async () => {
  const remote = people.remote('rita', 'there.example');
  await expect(warn(remote)).rejects.toMatchObject({ code: 'notFound' });
  await expect(warn({ ...alice, id: alice.id + 1n })).rejects.toMatchObject({ code: 'notFound' });
  people.suspend(alice);
  await expect(warn(alice)).rejects.toMatchObject({ code: 'forbidden' });
  expect([...stored(remote), ...stored(alice)]).toEqual([]);
});
