import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { findPublicAccount } from '../../../../src/actors/account/profile/profiles.queries.ts';
import type { Post } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let post: Post;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.remote('bob', 'remote.test');
  post = await people.publish(alice);
});

const untilRemovedMilliseconds = 60_000;
const beginToDepart = (person: Person) => people.server.call(Account.remoteAccountDeleted.to(person.id, {}));
async function depart(person: Person): Promise<void> {
  await beginToDepart(person);
  people.server.clock.advance(untilRemovedMilliseconds);
}
const followersOf = (person: Person) => people.accountCounters(person).followers;

describe('a remote account that is gone', () => {
  test('leaves no favourite behind: neither the number, nor who it was', async () => {
    const carol = people.local('carol', { partition: 1 });
    await people.favourite(bob, post);
    await people.favourite(carol, post);
    expect(people.countersOf(post).favourites).toBe(2);
    await depart(bob);
    expect(people.countersOf(post).favourites).toBe(1);
    expect(people.favouriterIds(post)).toEqual([carol.id]);
    expect(people.favouriteIds(bob)).toEqual([]);
    expect(people.hasFavourited(bob, post)).toBe(false);
    expect(people.notificationsOf(alice).map(({ fromId }) => fromId)).toEqual([carol.id]);
    expect(people.server.problems).toEqual([]);
  });

  test('with very many favourites takes all of them back, a few at a time', async () => {
    const posts = [post];
    for (let number = 1; number < 250; number += 1) posts.push(await people.publish(alice));
    for (const one of posts) await people.favourite(bob, one);
    const left = () => posts.filter((one) => people.countersOf(one).favourites > 0).length;
    await beginToDepart(bob);
    expect(left()).toBe(posts.length - 25);
    people.server.clock.advance(untilRemovedMilliseconds);
    expect(left()).toBe(0);
  });

  test('leaves no reblog, no follow and no status behind', async () => {
    await people.follow(bob, alice);
    await people.follow(alice, bob);
    const own = await people.receive(bob, 'https://remote.test/notes/1', { replyTo: post });
    await people.reblog(bob, post);
    expect([followersOf(alice), followersOf(bob)]).toEqual([1, 1]);
    await depart(bob);
    expect([followersOf(alice), followersOf(bob)]).toEqual([0, 0]);
    expect(people.statusOf(own)).toBeUndefined();
    expect(people.countersOf(post)).toMatchObject({ reblogs: 0, replies: 0 });
    expect(people.server.problems).toEqual([]);
  });

  test('leaves no status behind, also when each of very many mentions a crowd', async () => {
    const crowd: Person[] = [];
    for (let number = 0; number < 60; number += 1)
      crowd.push(people.remote(`fan${number}`, 'elsewhere.test', { partition: 1 }));
    for (let number = 0; number < 101; number += 1)
      await people.receive(bob, `https://remote.test/notes/${number}`, { mentions: crowd });
    await depart(bob);
    expect(people.statusEntries(bob)).toEqual([]);
    expect(people.server.problems).toEqual([]);
  });

  test('is found by nobody, also when it is learned again', async () => {
    const find = () => findPublicAccount(people.server.read, bob.id);
    const { profile } = find()!;
    await depart(bob);
    expect(find()).toBeUndefined();
    await people.server.call(Account.learnProfile.to(bob.id, { profile }));
    expect(find()).toBeUndefined();
  });

  test('must be remote: a local one is never purged', async () => {
    await people.favourite(alice, post);
    await depart(alice);
    expect(people.countersOf(post).favourites).toBe(1);
  });
});
