import { beforeEach, expect, test } from 'vitest';
import { favouritersOf, rebloggersOf } from '../../../../src/actors/account/interactions/interactions.queries.ts';
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
