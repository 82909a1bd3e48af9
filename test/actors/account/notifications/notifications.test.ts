import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { addNotification } from '../../../../src/actors/account/notifications/notify.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { storedNotifications } from '../../../support/stored-notifications.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
});

/** Oldest first. They are counted, too. */
const ids = () => {
  people.expectSound();
  return storedNotifications(people.server.read, alice.id, {}, { limit: 10_000 }, (id) => id).items.toReversed();
};

/** Notifications about statuses 1 to `count`, a hundred in a turn. */
function fill(count: number): void {
  for (let first = 1; first <= count; first += 100) {
    people.server.turn(Account.actor, alice.id, (turn) => {
      for (let number = first; number < first + 100 && number <= count; number += 1)
        addNotification(turn, { type: 'mention', fromId: bob.id, statusId: BigInt(number) });
    });
  }
}

test('one is dismissed, once', async () => {
  fill(3);
  const [first, second, third] = ids();
  await people.server.call(Account.dismissNotification.to(alice.id, { notificationId: second! }));
  expect(ids()).toEqual([first, third]);
  const again = people.server.call(Account.dismissNotification.to(alice.id, { notificationId: second! }));
  await expect(again).rejects.toMatchObject({ code: 'notFound' });
});

test("another account's notification is not there", async () => {
  fill(1);
  const other = people.server.call(Account.dismissNotification.to(bob.id, { notificationId: ids()[0]! }));
  await expect(other).rejects.toMatchObject({ code: 'notFound' });
  expect(ids()).toHaveLength(1);
});

test.each([0, 1, 1_000, 2_345])('all of %i are cleared before the answer', async (count) => {
  fill(count);
  await people.server.call(Account.clearNotifications.to(alice.id, {}));
  expect(ids()).toEqual([]);
});

test('a clearing that goes on leaves what has come since', async () => {
  fill(2);
  const [first, second] = ids();
  await people.server.call(Account.clearNotifications.to(alice.id, { untilId: second! }));
  expect(ids()).toEqual([second]);
  expect(first).toBeLessThan(second!);
});

test('other actors notify by a message, which honours blocks', async () => {
  const cause = { type: 'poll' as const, fromId: bob.id, statusId: 7n };
  people.say(Account.notify.to(alice.id, cause));
  await people.block(alice, bob);
  people.say(Account.notify.to(alice.id, cause));
  expect(people.notificationsOf(alice)).toEqual([cause]);
});

describe('with 5,000 of them', () => {
  test.each([
    ['none goes', 5_000, 1],
    ['the 100 oldest go with one too many', 5_001, 101],
    ['none goes until there is one too many again', 5_100, 101],
    ['the next oldest go then', 5_101, 201],
  ])('%s', (_, came, oldest) => {
    fill(came);
    const kept = people.notificationsOf(alice);
    expect(kept[0]?.statusId).toBe(BigInt(oldest));
    expect(kept).toHaveLength(came - oldest + 1);
    people.expectSound();
  });
});
