import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { NotificationChoice } from '../../../src/actors/account/notifications/notifications.queries.ts';
import type { PageBounds } from '../../../src/actors/pages.ts';
import { accountOf } from '../../../src/gateway/entities/encoded-account.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { Post } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

let people: People;
let notifications: GatewayServices['notifications'];
let alice: Person;
let bob: Person;
let carol: Person;
let post: Post;

beforeEach(async () => {
  people = new People();
  notifications = presenting(people.server).notifications;
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
  post = await people.publish(alice);
  await people.follow(bob, alice);
  await people.favourite(bob, post);
  await people.favourite(carol, post);
  await people.reblog(carol, post);
  await people.publish(bob, { visibility: 'direct', mentions: [alice] });
});

function page(choice: NotificationChoice = {}, bounds: PageBounds = { limit: 40 }) {
  return notifications.page(alice.id, choice, bounds);
}

const shown = (choice?: NotificationChoice) =>
  page(choice).items.map(({ notification, from }) => `${notification.type} by ${accountOf(from).username}`);

test('are listed newest first, with their statuses', () => {
  expect(shown()).toEqual([
    'mention by bob',
    'reblog by carol',
    'favourite by carol',
    'favourite by bob',
    'follow by bob',
  ]);
  const [mention, reblog, , , follow] = page().items;
  expect(mention?.status?.status).toMatchObject({ accountId: bob.id, visibility: 'direct' });
  expect(reblog?.status?.status.id).toBe(post.id);
  expect(follow?.status).toBeUndefined();
});

test.each<[string, () => NotificationChoice, string[]]>([
  ['types', () => ({ types: new Set(['follow', 'reblog']) }), ['reblog by carol', 'follow by bob']],
  ['excluded types', () => ({ excludeTypes: new Set(['favourite', 'mention']) }), ['reblog by carol', 'follow by bob']],
  ['one account', () => ({ fromId: carol.id }), ['reblog by carol', 'favourite by carol']],
  ['types of one account', () => ({ types: new Set(['favourite']), fromId: bob.id }), ['favourite by bob']],
])('are chosen by %s', (_what, choice, expected) => {
  expect(shown(choice())).toEqual(expected);
});

test('are paged by their ids, down and up', () => {
  const all = page().items.map(({ id }) => id);
  expect(page({}, { limit: 2, maxId: all[1] }).items.map(({ id }) => id)).toEqual(all.slice(2, 4));
  expect(page({}, { limit: 2, minId: all[3] }).items.map(({ id }) => id)).toEqual(all.slice(1, 3));
  expect(page({}, { limit: 2, sinceId: all[3] }).items.map(({ id }) => id)).toEqual(all.slice(0, 2));
});

describe('leave out', () => {
  test.each([
    ['blocked accounts', () => people.block(alice, bob), ['reblog by carol', 'favourite by carol']],
    ['accounts that block', () => people.block(bob, alice), ['reblog by carol', 'favourite by carol']],
    ['accounts muted with notifications', () => people.mute(alice, bob), ['reblog by carol', 'favourite by carol']],
    ['deleted statuses', () => people.remove(post), ['mention by bob', 'follow by bob']],
  ] as const)('%s', async (_what, act, expected) => {
    await act();
    expect(shown()).toEqual(expected);
  });

  test('nothing of accounts muted without notifications', async () => {
    await people.mute(alice, bob, { notifications: false });
    expect(shown()).toHaveLength(5);
  });

  test('nothing any more once a mute is over', async () => {
    await people.mute(alice, bob);
    await people.server.call(Account.unmute.to(alice.id, { targetId: bob.id }));
    expect(shown()).toHaveLength(5);
  });
});

test('one is found by its id, by its owner only', () => {
  const [first] = page().items;
  expect(notifications.one(alice.id, first!.id)?.notification.accountId).toBe(bob.id);
  expect(notifications.one(bob.id, first!.id)).toBeUndefined();
});
