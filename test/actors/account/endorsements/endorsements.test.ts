/** Endorsements (specification 4.2): of followed accounts only, as long as they are followed. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { endorsementsOf } from '../../../../src/actors/account/endorsements/endorsements.queries.ts';
import { shownAccounts } from '../../../../src/actors/account/relationships/relationships.queries.ts';
import { anonymous } from '../../../../src/actors/policy/visibility.ts';
import type { Person } from '../../../support/observer.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.remote('carol', 'there.test', { partition: 1 });
  for (const target of [bob, carol]) await people.follow(alice, target);
});

const endorse = (target: Person, by = alice) => people.server.call(Account.endorse.to(by.id, { targetId: target.id }));
const unendorse = (target: Person) => people.server.call(Account.unendorse.to(alice.id, { targetId: target.id }));
const endorsed = (by = alice) =>
  endorsementsOf(people.server.read, by.id, shownAccounts(people.server.read, anonymous), { limit: 40 }).items.map(
    ({ profile }) => profile.username,
  );

test('are listed, the latest first, each once, and can be taken back', async () => {
  for (const target of [bob, carol, bob]) await endorse(target);
  expect(endorsed()).toEqual(['carol', 'bob']);
  expect([people.relationship(alice, bob).endorsed, people.relationship(bob, alice).endorsed]).toEqual([true, false]);
  for (const target of [bob, bob]) await unendorse(target);
  expect(endorsed()).toEqual(['carol']);
});

test('of somebody who is not followed are refused', async () => {
  await expect(endorse(alice, bob)).rejects.toMatchObject({ code: 'validation' });
  expect(endorsed(bob)).toEqual([]);
});

test.each<[string, string, () => Promise<unknown>]>([
  ['is unfollowed', 'answered', () => people.unfollow(alice, bob)],
  ['is blocked', 'forbidden', () => people.block(alice, bob)],
  ['blocks', 'forbidden', () => people.block(bob, alice)],
  [
    'sends the follower away',
    'answered',
    () => people.server.call(Account.rejectFollow.to(bob.id, { requesterId: alice.id })),
  ],
])('end when the account %s, for good', async (_what, followed, end) => {
  for (const target of [carol, bob]) await endorse(target);
  await end();
  expect(endorsed()).toEqual(['carol']);
  expect(await outcomeOf(people.follow(alice, bob))).toBe(followed);
  expect(endorsed()).toEqual(['carol']);
});
