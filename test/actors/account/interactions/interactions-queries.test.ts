import { beforeEach, expect, test } from 'vitest';
import {
  favouritedAmong,
  favouritersOf,
  rebloggersOf,
} from '../../../../src/actors/account/interactions/interactions.queries.ts';
import { shownAccounts } from '../../../../src/actors/account/relationships/relationships.queries.ts';
import { viewerOf } from '../../../../src/actors/account/relationships/viewer.queries.ts';
import type { PageBounds } from '../../../../src/actors/pages.ts';
import type { Post } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let post: Post;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
  dave = people.remote('dave', 'there.test');
  post = await people.publish(alice);
  for (const person of [bob, carol, dave]) await people.favourite(person, post);
  await people.reblog(bob, post);
  await people.reblog(carol, post, 'private');
});

function names(
  list: typeof favouritersOf | typeof rebloggersOf,
  by?: Person,
  bounds: PageBounds = { limit: 40 },
): string[] {
  const { read, clock } = people.server;
  const viewer = viewerOf(read, by?.id, clock.now());
  const page = list(read, post.id, shownAccounts(read, viewer), bounds, viewer);
  return page.items.map(({ profile }) => profile.username);
}

test('favourites are listed newest first, and paged', () => {
  expect(names(favouritersOf)).toEqual(['dave', 'carol', 'bob']);
  const { read } = people.server;
  const first = favouritersOf(read, post.id, (id) => id, { limit: 2 });
  expect(first.full).toBe(true);
  expect(names(favouritersOf, undefined, { limit: 2, maxId: first.oldest })).toEqual(['bob']);
  expect(names(favouritersOf, undefined, { limit: 1, minId: first.oldest })).toEqual(['dave']);
});

test('a reblog tells who made it to those who may see it', async () => {
  await people.follow(alice, carol);
  expect(names(rebloggersOf)).toEqual(['bob']);
  expect(names(rebloggersOf, alice)).toEqual(['carol', 'bob']);
  expect(names(rebloggersOf, carol)).toEqual(['carol', 'bob']);
});

test('those on the other side of a block, and suspended accounts, are left out', async () => {
  await people.block(bob, carol);
  await people.block(bob, alice);
  expect(names(favouritersOf, carol)).toEqual(['dave', 'carol']);
  expect(names(favouritersOf, alice)).toEqual(['dave', 'carol']);
  expect(names(rebloggersOf, alice)).toEqual([]);
  people.suspend(dave);
  expect(names(favouritersOf, carol)).toEqual(['carol']);
});

test('which of many statuses an account has favourited: the same one by one and together', async () => {
  const posts = [post];
  for (let number = 0; number < 30; number += 1) posts.push(await people.publish(alice));
  for (const at of [3, 4, 17, 29]) await people.favourite(bob, posts[at]!);
  const all = posts.map(({ id }) => id).reverse();
  const few = [all[2]!, all[27]!, ...all.slice(5, 13)];
  for (const asked of [all, few, all.slice(0, 3), [...few, 7n]]) {
    const oneByOne = asked.map((id) => favouritedAmong(people.server.read, bob.id, [id])[0]);
    expect(favouritedAmong(people.server.read, bob.id, asked)).toEqual(oneByOne);
  }
  // More were favourited in their time than are asked for.
  for (const other of posts) await people.favourite(carol, other);
  const far = [all[0]!, ...Array.from({ length: 8 }, (_, index) => BigInt(index + 1))];
  expect(favouritedAmong(people.server.read, carol.id, far)).toEqual([true, ...Array.from({ length: 8 }, () => false)]);
});
