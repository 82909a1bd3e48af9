/** What accepted requests bring into the notifications of an account, however many there are. */
import { test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { notificationLimits } from '../../../../src/actors/account/notifications/limits.ts';
import { chooseNotificationRequests } from '../../../../src/actors/account/notifications/notification-requests.queries.ts';
import { notificationPermissions } from '../../../../src/actors/account/notifications/notification-requests.state.ts';
import { addNotification } from '../../../../src/actors/account/notifications/notify.ts';
import { People } from '../../../support/people.ts';

test('accepted notifications are kept within the bound of all', async () => {
  const people = new People();
  const [alice, bob, carol] = [people.local('alice'), people.local('bob'), people.local('carol')];
  const { server } = people;
  await server.call(Account.changeNotificationPolicy.to(alice.id, { forNotFollowing: 'filter' }));
  server.turn(Account.actor, alice.id, (turn) => turn.put(notificationPermissions, [alice.id, carol.id], true));
  for (let added = 0; added < notificationLimits.keptMax; added += 1_000)
    server.turn(Account.actor, alice.id, (turn) => {
      for (let index = 0; index < 1_000; index += 1) addNotification(turn, { type: 'follow', fromId: carol.id });
    });
  await people.publish(bob, { mentions: [alice] });
  const { items: requestIds } = chooseNotificationRequests(server.read, alice.id, { limit: 1 }, (id) => id);
  await server.call(Account.settleNotificationRequests.to(alice.id, { requestIds, isAccepted: true }));
  people.expectSound();
});
