import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { followedTagsChanged } from '../../../../src/actors/account/followed-tags/followed-tags.events.ts';
import {
  followedTagNames,
  followedTagsOf,
  followsTag,
} from '../../../../src/actors/account/followed-tags/followed-tags.queries.ts';
import { followedTagLimits } from '../../../../src/actors/account/followed-tags/limits.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
});

const follow = (name: string) => people.server.call(Account.followTag.to(alice.id, { name }));
const unfollow = (name: string) => people.server.call(Account.unfollowTag.to(alice.id, { name }));
const followed = () => followedTagsOf(people.server.read, alice.id, { limit: 1_000 }).items;

test('tags are followed once, by one account, with an event for each change', async () => {
  for (const name of ['cats', 'café', 'cats']) await follow(name);
  expect([followed(), followedTagNames(people.server.read, alice.id)]).toEqual([
    ['café', 'cats'],
    ['cats', 'café'],
  ]);
  expect([alice, bob].map(({ id }) => followsTag(people.server.read, id, 'café'))).toEqual([true, false]);
  for (const name of ['cats', 'cats', 'dogs']) await unfollow(name);
  expect(followed()).toEqual(['café']);
  expect(people.server.events(followedTagsChanged)).toEqual(Array.from({ length: 3 }, () => ({ accountId: alice.id })));
});

test('they are bounded', async () => {
  for (let count = 0; count < followedTagLimits.followedMax; count += 1) await follow(`tag${count}`);
  await expect(follow('more')).rejects.toMatchObject({ code: 'validation' });
  await follow('tag0');
  expect(followed()).toHaveLength(followedTagLimits.followedMax);
});
