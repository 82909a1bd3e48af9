import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { bookmarkedAmong, chooseBookmarks } from '../../../../src/actors/account/bookmarks/bookmarks.queries.ts';
import { viewerStateChanged } from '../../../../src/actors/account/interactions/interactions.events.ts';
import type { Post } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let posts: Post[];

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  posts = [await people.publish(alice), await people.publish(bob), await people.publish(alice)];
  people.server.forgetEvents();
});

const bookmark = (post: Post) => people.server.call(Account.bookmark.to(bob.id, { statusId: post.id }));
const unbookmark = (post: Post) => people.server.call(Account.unbookmark.to(bob.id, { statusId: post.id }));
const bookmarkedBy = ({ id }: Person) => chooseBookmarks(people.server.read, id, { limit: 40 }, (one) => one).items;
const flagsOf = ({ id }: Person) =>
  bookmarkedAmong(
    people.server.read,
    id,
    posts.map((post) => post.id),
  );
const heard = () => people.server.events(viewerStateChanged).map(({ accountId, statusId }) => [accountId, statusId]);

test('bookmarks are listed by the time they were made, latest first, to their account only', async () => {
  await bookmark(posts[2]!);
  await bookmark(posts[0]!);
  expect(bookmarkedBy(bob)).toEqual([posts[0]!.id, posts[2]!.id]);
  expect(flagsOf(bob)).toEqual([true, false, true]);
  expect([bookmarkedBy(alice), flagsOf(alice)]).toEqual([[], [false, false, false]]);
});

test('bookmarking twice keeps one bookmark in its first place, and emits one event', async () => {
  for (const index of [0, 1, 0]) await bookmark(posts[index]!);
  expect(bookmarkedBy(bob)).toEqual([posts[1]!.id, posts[0]!.id]);
  expect(heard()).toEqual([
    [bob.id, posts[0]!.id],
    [bob.id, posts[1]!.id],
  ]);
});

test('removing a bookmark leaves nothing behind, and removing one that never was changes nothing', async () => {
  await bookmark(posts[0]!);
  people.server.forgetEvents();
  for (const post of [posts[0]!, posts[0]!, posts[1]!]) await unbookmark(post);
  expect([bookmarkedBy(bob), flagsOf(bob)]).toEqual([[], [false, false, false]]);
  expect(heard()).toEqual([[bob.id, posts[0]!.id]]);
});

test('bookmarks are private: no notification, no counter, no delivery', async () => {
  const before = people.countersOf(posts[0]!);
  await bookmark(posts[0]!);
  expect([people.countersOf(posts[0]!), people.notificationsOf(alice), people.takeDeliveries()]).toEqual([
    before,
    [],
    [],
  ]);
});
