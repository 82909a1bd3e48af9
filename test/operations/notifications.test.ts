import { expect, test } from 'vitest';
import { markersOf } from '../../src/actors/account/markers/markers.queries.ts';
import { favouriteStatus } from '../../src/operations/interactions/favourite-status.ts';
import { clearNotifications } from '../../src/operations/notifications/clear-notifications.ts';
import { dismissNotification } from '../../src/operations/notifications/dismiss-notification.ts';
import { readNotifications } from '../../src/operations/notifications/read-notifications.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { outcomeOf } from '../support/outcome.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { Callers } from './callers.ts';

test('notifications are dismissed one by one, or all', async () => {
  const callers = new Callers();
  const { people, services } = callers;
  const [alice, bob] = [callers.as(people.local('alice')), callers.as(people.local('bob'))];
  for (const text of ['One', 'Two', 'Three']) {
    const { statusId } = await publishStatus(alice, { text, spoilerText: '' });
    await favouriteStatus(bob, { statusId });
  }
  people.server.settle();
  const notificationIds = () =>
    storedNotifications(services.snapshots, alice.caller.accountId, {}, { limit: 10 }, (id) => id).items;
  const [newest, ...others] = notificationIds();
  expect(others).toHaveLength(2);

  expect(await outcomeOf(dismissNotification(bob, { notificationId: newest! }))).toBe('notFound');
  expect(notificationIds()).toEqual([newest, ...others]);
  await dismissNotification(alice, { notificationId: newest! });
  expect(notificationIds()).toEqual(others);
  await clearNotifications(alice, {});
  expect(notificationIds()).toEqual([]);
});

test('what was read stays read, whatever page shows less afterwards', async () => {
  const callers = new Callers();
  const { people, services } = callers;
  const alice = callers.as(people.local('alice'));
  const read = () => markersOf(services.snapshots, alice.caller.accountId).notifications?.lastReadId;
  expect(read()).toBeUndefined();
  for (const [newestId, expected] of [
    [5n, 5n],
    [9n, 9n],
    [7n, 9n],
  ] as const) {
    await readNotifications(alice, { newestId });
    expect(read()).toBe(expected);
  }
});
