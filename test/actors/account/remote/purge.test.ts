import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { findPublicAccount } from '../../../../src/actors/account/profile/profiles.queries.ts';
import { Circle, type Post } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;
let bob: Person;
let post: Post;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.remote('bob', 'remote.test', 1);
  post = await circle.publish(alice);
});

const depart = (person: Person) => circle.server.call(Account.remoteAccountDeleted.to(person.id, {}));
const followersOf = (person: Person) => circle.accountCounters(person).followers;

describe('a remote account that is gone', () => {
  test('leaves no favourite behind: neither the number, nor who it was', async () => {
    const carol = await circle.local('carol', 1);
    await circle.favourite(bob, post);
    await circle.favourite(carol, post);
    expect(circle.countersOf(post).favourites).toBe(2);
    await depart(bob);
    expect(circle.countersOf(post).favourites).toBe(1);
    expect(circle.favouriterIds(post)).toEqual([carol.id]);
    expect(circle.favouriteIds(bob)).toEqual([]);
    expect(circle.hasFavourited(bob, post)).toBe(false);
    expect(circle.notificationsOf(alice).map(({ fromId }) => fromId)).toEqual([carol.id]);
    expect(circle.server.problems).toEqual([]);
  });

  test('with very many favourites takes all of them back', async () => {
    const posts = [post];
    for (let number = 1; number < 250; number += 1) posts.push(await circle.publish(alice));
    for (const one of posts) await circle.favourite(bob, one);
    await depart(bob);
    expect(posts.filter((one) => circle.countersOf(one).favourites > 0)).toEqual([]);
  });

  test('leaves no reblog, no follow and no status behind', async () => {
    await circle.follow(bob, alice);
    await circle.follow(alice, bob);
    const own = await circle.receive(bob, 'https://remote.test/notes/1', { replyTo: post });
    await circle.reblog(bob, post);
    expect([followersOf(alice), followersOf(bob)]).toEqual([1, 1]);
    await depart(bob);
    expect([followersOf(alice), followersOf(bob)]).toEqual([0, 0]);
    expect(circle.statusOf(own)).toBeUndefined();
    expect(circle.countersOf(post)).toMatchObject({ reblogs: 0, replies: 0 });
    expect(circle.server.problems).toEqual([]);
  });

  test('leaves no status behind, also when each of very many mentions a crowd', async () => {
    const crowd: Person[] = [];
    for (let number = 0; number < 60; number += 1) crowd.push(await circle.remote(`fan${number}`, 'elsewhere.test', 1));
    for (let number = 0; number < 101; number += 1)
      await circle.receive(bob, `https://remote.test/notes/${number}`, { mentions: crowd });
    await depart(bob);
    expect(circle.statusEntries(bob)).toEqual([]);
    expect(circle.server.problems).toEqual([]);
  });

  test('is found by nobody, also when it is learned again', async () => {
    const find = () => findPublicAccount(circle.server.read, bob.id);
    const { profile } = find()!;
    await depart(bob);
    expect(find()).toBeUndefined();
    await circle.server.call(Account.learn.to(bob.id, { profile }));
    expect(find()).toBeUndefined();
  });

  test('is nobody of this server', async () => {
    await circle.favourite(alice, post);
    await depart(alice);
    expect(circle.countersOf(post).favourites).toBe(1);
  });
});
