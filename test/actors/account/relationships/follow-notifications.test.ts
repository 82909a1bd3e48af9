/** The notification of a follow, or of a request, goes with it, whoever ends it (behaviour of the Mastodon API). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import type { NotificationPolicy } from '../../../../src/actors/policy/notification-policy.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { storedNotifications } from '../../../support/stored-notifications.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.remote('carol', 'there.test');
});

/** Besides that of lost followers. */
const told = () =>
  storedNotifications(
    people.server.read,
    alice.id,
    { includeFiltered: true },
    { limit: 40 },
    (_id, { type, accountId }) =>
      type === 'severed_relationships' ? undefined : `${type} ${accountId === bob.id ? 'bob' : 'carol'}`,
  ).items;

const endings: readonly [string, (other: Person) => Promise<unknown>][] = [
  ['who followed', (other) => people.unfollow(other, alice)],
  ['who was followed', (other) => people.reject(alice, other)],
  ['a block', (other) => people.block(alice, other)],
  ['a block by who followed', (other) => people.block(other, alice)],
  [
    'a block of the server',
    () => people.server.call(Account.blockDomain.to(alice.id, { domain: 'there.test', followed: [] })),
  ],
];

describe.each<[string, Partial<NotificationPolicy>]>([
  ['accepted', {}],
  ['filtered', { forNotFollowing: 'filter' }],
])('%s', (_how, policy) => {
  describe.each([
    ['follow', false],
    ['follow_request', true],
  ] as const)('%s', (type, locked) => {
    beforeEach(async () => {
      await people.server.call(Account.changeNotificationPolicy.to(alice.id, policy));
      people.change(alice, { locked });
      await people.follow(bob, alice);
      await people.receiveFollow(carol, alice, 'https://there.test/follows/1');
      expect(told()).toEqual([`${type} carol`, `${type} bob`]);
    });

    test.each(endings)('ended by %s', async (_whom, end) => {
      await end(carol);
      people.server.settle();
      expect(told()).toEqual([`${type} bob`]);
      people.expectSound();
    });
  });
});
