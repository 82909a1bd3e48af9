import { expect, test } from 'vitest';
import { chooseNotifications } from '../../src/actors/account/notifications/notifications.queries.ts';
import { favouriteStatus } from '../../src/operations/interactions/favourite-status.ts';
import { clearNotifications } from '../../src/operations/notifications/clear-notifications.ts';
import { dismissNotification } from '../../src/operations/notifications/dismiss-notification.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
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
    chooseNotifications(services.snapshots, alice.caller.accountId, {}, { limit: 10 }, (id) => id).items;
  const [newest, ...others] = notificationIds();
  expect(others).toHaveLength(2);

  await dismissNotification(bob, { notificationId: newest! }).catch(() => undefined);
  expect(notificationIds()).toEqual([newest, ...others]);
  await dismissNotification(alice, { notificationId: newest! });
  expect(notificationIds()).toEqual(others);
  await clearNotifications(alice, {});
  expect(notificationIds()).toEqual([]);
});
