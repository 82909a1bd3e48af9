import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { bookmarkedAmong, chooseBookmarks } from '../../../../src/actors/account/bookmarks/bookmarks.queries.ts';
import { viewerStateChanged } from '../../../../src/actors/account/interactions/interactions.events.ts';
import { Circle, type Post } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;
let bob: Person;
let posts: Post[];

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
  posts = [await circle.publish(alice), await circle.publish(bob), await circle.publish(alice)];
  circle.server.forgetEvents();
});

const bookmark = (post: Post) => circle.server.call(Account.bookmark.to(bob.id, { statusId: post.id }));
const unbookmark = (post: Post) => circle.server.call(Account.unbookmark.to(bob.id, { statusId: post.id }));
const bookmarkedBy = ({ id }: Person) => chooseBookmarks(circle.server.read, id, { limit: 40 }, (one) => one).items;
const flagsOf = ({ id }: Person) =>
  bookmarkedAmong(
    circle.server.read,
    id,
    posts.map((post) => post.id),
  );
const heard = () => circle.server.events(viewerStateChanged).map(({ accountId, statusId }) => [accountId, statusId]);

test('are listed by the time of the bookmark, the latest first, for the account alone', async () => {
  await bookmark(posts[2]!);
  await bookmark(posts[0]!);
  expect(bookmarkedBy(bob)).toEqual([posts[0]!.id, posts[2]!.id]);
  expect(flagsOf(bob)).toEqual([true, false, true]);
  expect([bookmarkedBy(alice), flagsOf(alice)]).toEqual([[], [false, false, false]]);
});

test('twice is once, with its first place and one event', async () => {
  for (const index of [0, 1, 0]) await bookmark(posts[index]!);
  expect(bookmarkedBy(bob)).toEqual([posts[1]!.id, posts[0]!.id]);
  expect(heard()).toEqual([
    [bob.id, posts[0]!.id],
    [bob.id, posts[1]!.id],
  ]);
});

test('taken back leave nothing, and taking back what was never bookmarked changes nothing', async () => {
  await bookmark(posts[0]!);
  circle.server.forgetEvents();
  for (const post of [posts[0]!, posts[0]!, posts[1]!]) await unbookmark(post);
  expect([bookmarkedBy(bob), flagsOf(bob)]).toEqual([[], [false, false, false]]);
  expect(heard()).toEqual([[bob.id, posts[0]!.id]]);
});

test('tell nobody else: no notification, no number, no delivery', async () => {
  const before = circle.countersOf(posts[0]!);
  await bookmark(posts[0]!);
  expect([circle.countersOf(posts[0]!), circle.notificationsOf(alice), circle.takeDeliveries()]).toEqual([
    before,
    [],
    [],
  ]);
});
