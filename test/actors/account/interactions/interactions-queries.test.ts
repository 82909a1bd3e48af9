import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { favouritersOf, rebloggersOf } from '../../../../src/actors/account/interactions/interactions.queries.ts';
import { profiles } from '../../../../src/actors/account/profile/profile.state.ts';
import { viewerOf } from '../../../../src/actors/account/statuses/statuses.queries.ts';
import type { PageBounds } from '../../../../src/actors/pages.ts';
import { Circle, type Post } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let post: Post;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
  carol = await circle.local('carol', 0);
  dave = await circle.remote('dave', 'there.test', 1);
  post = await circle.publish(alice);
  for (const person of [bob, carol, dave]) await circle.favourite(person, post);
  await circle.reblog(bob, post);
  await circle.reblog(carol, post, 'private');
});

function names(list: typeof favouritersOf, by?: Person, bounds: PageBounds = { limit: 40 }): string[] {
  const { read, clock } = circle.server;
  const page = list(read, post.id, viewerOf(read, by?.id, clock.now()), bounds);
  return page.items.map(({ profile }) => profile.username);
}

test('favourites are listed newest first, and paged', () => {
  expect(names(favouritersOf)).toEqual(['dave', 'carol', 'bob']);
  const { read } = circle.server;
  const first = favouritersOf(read, post.id, viewerOf(read, undefined, 0), { limit: 2 });
  expect(first.full).toBe(true);
  expect(names(favouritersOf, undefined, { limit: 2, maxId: first.oldest })).toEqual(['bob']);
  expect(names(favouritersOf, undefined, { limit: 1, minId: first.oldest })).toEqual(['dave']);
});

test('a reblog tells who made it to those who may see it', async () => {
  await circle.follow(alice, carol);
  expect(names(rebloggersOf)).toEqual(['bob']);
  expect(names(rebloggersOf, alice)).toEqual(['carol', 'bob']);
  expect(names(rebloggersOf, carol)).toEqual(['carol', 'bob']);
});

test('those on the other side of a block, and suspended accounts, are left out', async () => {
  await circle.block(bob, carol);
  await circle.block(bob, alice);
  expect(names(favouritersOf, carol)).toEqual(['dave', 'carol']);
  expect(names(favouritersOf, alice)).toEqual(['dave', 'carol']);
  expect(names(rebloggersOf, alice)).toEqual([]);
  circle.server.turn(Account.actor, dave.id, (turn) =>
    turn.put(profiles, [dave.id], { ...turn.get(profiles, [dave.id])!, suspendedAt: 1 }),
  );
  expect(names(favouritersOf, carol)).toEqual(['carol']);
});
