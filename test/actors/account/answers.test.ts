/**
 * An answered call is visible to both accounts, which are in different partitions: no message that either would notice
 * is still in transit.
 */

import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { favouritedAmong, rebloggedAmong } from '../../../src/actors/account/interactions/interactions.queries.ts';
import { findAccount } from '../../../src/actors/account/profile/profiles.queries.ts';
import { findRelationship } from '../../../src/actors/account/relationship-views.queries.ts';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { repliesTo } from '../../../src/actors/account/statuses/threads.queries.ts';
import { type Post, publication, unfavourite } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';

let people: People;
/** Alice acts; bob, elsewhere, is acted upon. */
let alice: Person;
let bob: Person;
let post: Post;
/** What alice wrote before. */
let written: Post;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  post = await people.publish(bob);
});

const lock = () => people.server.call(Account.changeProfile.to(bob.id, { locked: true }));
const follow = () => Account.follow.to(alice.id, { targetId: bob.id, options: {} });
const authorize = () => Account.authorizeFollow.to(bob.id, { requesterId: alice.id });
const reject = () => Account.rejectFollow.to(bob.id, { requesterId: alice.id });
const by = () => ({ statusId: post.id, by: alice.id });
const reply = () => Account.publish.to(alice.id, publication({ replyTo: post, mentions: [bob] }));

const now = () => people.server.clock.now();
const relationship = () => findRelationship(people.server.read, alice.id, bob.id, now());
const reverse = () => findRelationship(people.server.read, bob.id, alice.id, now());
const account = (person: Person) => findAccount(people.server.read, person.id)!.counters;
const counters = () => findStatus(people.server.read, post.id)!.counters;
const heard = () => people.notificationsOf(bob).map(({ type }) => type);

test.each<
  [string, before: () => Promise<unknown>, act: () => Promise<unknown>, seen: () => unknown, expected: unknown]
>([
  [
    'a follow',
    async () => undefined,
    () => people.server.callOnly(follow()),
    () => [
      relationship().follow?.state,
      reverse().followedBy,
      account(alice).following,
      account(bob).followers,
      heard(),
    ],
    ['accepted', true, 1, 1, ['follow']],
  ],
  [
    'a request',
    lock,
    () => people.server.callOnly(follow()),
    () => [relationship().follow?.state, reverse().requestedBy, heard()],
    ['requested', true, ['follow_request']],
  ],
  [
    'an authorisation',
    () => lock().then(() => people.server.call(follow())),
    () => people.server.callOnly(authorize()),
    () => [relationship().follow?.state, reverse().followedBy, account(alice).following],
    ['accepted', true, 1],
  ],
  [
    'a rejection',
    () => lock().then(() => people.server.call(follow())),
    () => people.server.callOnly(reject()),
    () => [relationship().follow, reverse().requestedBy],
    [undefined, false],
  ],
  [
    'sending a follower away',
    () => people.server.call(follow()),
    () => people.server.callOnly(reject()),
    () => [relationship().follow, reverse().followedBy, account(alice).following, account(bob).followers],
    [undefined, false, 0, 0],
  ],
  [
    'leaving',
    () => people.server.call(follow()),
    () => people.server.callOnly(Account.unfollow.to(alice.id, { targetId: bob.id })),
    () => [relationship().follow, reverse().followedBy, account(bob).followers],
    [undefined, false, 0],
  ],
  [
    'a block',
    () => people.server.call(follow()),
    () => people.server.callOnly(Account.block.to(alice.id, { targetId: bob.id })),
    () => [relationship().blocking, reverse().blockedBy, reverse().followedBy],
    [true, true, false],
  ],
  [
    'a favourite',
    async () => undefined,
    () => people.server.callOnly(Account.favourite.to(bob.id, by())),
    () => [favouritedAmong(people.server.read, alice.id, [post.id]), counters().favourites, heard()],
    [[true], 1, ['favourite']],
  ],
  [
    'a favourite taken back',
    () => people.favourite(alice, post),
    () => people.server.callOnly(unfavourite(alice, post)),
    () => [favouritedAmong(people.server.read, alice.id, [post.id]), counters().favourites, heard()],
    [[false], 0, []],
  ],
  [
    'a reblog',
    async () => undefined,
    () => people.server.callOnly(Account.reblog.to(bob.id, by())),
    () => [rebloggedAmong(people.server.read, alice.id, [post.id]), counters().reblogs, heard()],
    [[true], 1, ['reblog']],
  ],
  [
    'a reply',
    async () => undefined,
    () => people.server.callOnly(reply()),
    () => [repliesTo(people.server.read, post.id).length, counters().replies, heard()],
    [1, 1, ['mention']],
  ],
  [
    'the deletion of a reply',
    async () => {
      const { statusId } = await people.server.call(reply());
      written = { id: statusId, author: alice };
    },
    () => people.server.callOnly(Account.deleteStatus.to(alice.id, { statusId: written.id, destinations: [] })),
    () => [repliesTo(people.server.read, post.id), counters().replies],
    [[], 0],
  ],
  [
    'a mention',
    async () => undefined,
    () => people.server.callOnly(Account.publish.to(alice.id, publication({ visibility: 'direct', mentions: [bob] }))),
    heard,
    ['mention'],
  ],
])('%s', async (_what, before, act, seen, expected) => {
  await before();
  await act();
  expect(seen()).toEqual(expected);
});
