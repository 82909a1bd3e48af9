import { beforeEach, describe, expect, test } from 'vitest';
import { searchAccounts } from '../../../../src/actors/account/profile/account-search.queries.ts';
import { findCredentials, findPublicAccount } from '../../../../src/actors/account/profile/profiles.queries.ts';
import type { Person } from '../observer.ts';
import { People } from '../people.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice', { displayName: 'Alice Liddell' });
  bob = people.remote('bob', 'remote.example:8443', { displayName: 'Robert' });
});

test.each([
  ['confirmed and approved', {}, true],
  ['not confirmed', { confirmed: false }, false],
  ['not approved', { approved: false }, false],
])('a local account that is %s is public: %o', (_case, login, isPublic) => {
  const carol = people.local('carol', {}, login);
  expect(findPublicAccount(people.server.read, carol.id) !== undefined).toBe(isPublic);
});

test('credentials are of local accounts only, and count requests', async () => {
  people.change(alice, { locked: true });
  await people.receiveFollow(bob, alice, 'https://remote.example/follows/1');
  expect(findCredentials(people.server.read, alice.id)).toMatchObject({
    account: { profile: { username: 'alice' } },
    login: { email: 'alice@example.org' },
    followRequests: 1,
  });
  expect(findCredentials(people.server.read, bob.id)).toBeUndefined();
});

describe('a search', () => {
  const search = (words: string, changes: object = {}) => {
    const everything = { exactId: undefined, followedOnly: false, offset: 0, limit: 40 };
    const found = searchAccounts(people.server.read, { searcherId: alice.id, words, ...everything, ...changes });
    return found.map((account) => account.profile.username);
  };

  test('finds followed accounts by handle and by name, latest first', async () => {
    const robin = people.local('robin');
    await people.follow(alice, bob);
    people.server.clock.advance(1_000);
    await people.follow(alice, robin);
    expect(search('ro')).toEqual(['robin', 'bob']);
    expect(search('@bob@remote')).toEqual(['bob']);
    expect(search('ro', { limit: 1, offset: 1 })).toEqual(['bob']);
    expect(search('nobody')).toEqual([]);
  });

  test('puts the exact one first, once, unless only followed accounts are wanted', async () => {
    expect(search('bob', { exactId: bob.id })).toEqual(['bob']);
    expect(search('bob', { exactId: bob.id, followedOnly: true })).toEqual([]);
    await people.follow(alice, bob);
    expect(search('bob', { exactId: bob.id })).toEqual(['bob']);
    expect(search('bob', { exactId: bob.id, followedOnly: true })).toEqual(['bob']);
  });

  test('does not find suspended and blocked accounts', async () => {
    await people.block(alice, bob);
    expect(search('bob', { exactId: bob.id })).toEqual([]);
    const carol = people.local('carol', { suspendedAt: 1 });
    expect(search('carol', { exactId: carol.id })).toEqual([]);
  });
});
