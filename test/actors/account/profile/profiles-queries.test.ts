import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { findSearched, searchAccounts } from '../../../../src/actors/account/account-search.queries.ts';
import { findCredentials } from '../../../../src/actors/account/credentials.queries.ts';
import { listedAccounts } from '../../../../src/actors/account/profile/directory.queries.ts';
import { findAccount, findPublicAccount } from '../../../../src/actors/account/profile/profiles.queries.ts';
import { viewerOf } from '../../../../src/actors/account/relationships/viewer.queries.ts';
import { accountNames, discoverableAccounts } from '../../../../src/actors/search.state.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

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
  const steps = (words: string, changes: object = {}) => {
    const ownDomain = 'here.example';
    const everything = {
      exactId: undefined,
      findsBlocked: false,
      leavesOutMuted: false,
      followedOnly: false,
      offset: 0,
      limit: 40,
      namesNothingElse: false,
    };
    const { read } = people.server;
    const asked = { searcher: viewerOf(read, alice.id, 0), words, ownDomain, ...everything, ...changes };
    return searchAccounts(read, asked, (accountId) => findSearched(read, accountId));
  };
  const search = (...asked: Parameters<typeof steps>) => finish(steps(...asked)).found;
  /** Whom it finds, and in how many slices. */
  const finish = (search: ReturnType<typeof steps>) => {
    for (let slices = 1; ; slices += 1) {
      const { done, value } = search.next();
      if (done) return { found: value.map((id) => findAccount(people.server.read, id)!.profile.username), slices };
    }
  };

  test.each([
    ['the beginning of a handle', 'BO', ['bob']],
    ['a whole handle', '@bob', ['bob']],
    ['the beginning of a handle with its host', 'bob@remote.ex', ['bob']],
    ['a handle of here with its host', '@alice@here', ['alice']],
    ['another host', 'bob@here', []],
    ['the beginning of a display name', 'robe', ['bob']],
    ['a later word of it', 'lidd', ['alice']],
    ['words in any order', 'liddell ali', ['alice']],
    ['one word too many', 'alice robert', []],
    ['the middle of a word', 'iddell', []],
    ['letters without their accents', 'zoe', ['zoe42']],
    ['another accent', 'zöé', ['zoe42']],
    ['a part of a handle', 'lane', ['penny.lane']],
    ['a long word', 'incomprehensibilities', ['penny.lane']],
    ['a long word that goes on otherwise', 'incomprehensibilitiez', []],
    ['nothing but signs', '...', []],
    ['an emoji', '🐦', []],
  ])('by %s', (_case, words, expected) => {
    people.local('zoe42', { displayName: 'Zoë 🐦' });
    people.remote('penny.lane', 'else.example', { displayName: 'incomprehensibilities' });
    expect(search(words)).toEqual(expected);
  });

  test('puts the exact one first, then the followed, then handles, then other names', async () => {
    people.local('robina', { displayName: 'Somebody' });
    const robin = people.local('robin');
    const carol = people.local('carol', { displayName: 'Robin Hood' });
    people.local('erin', { displayName: 'A Robin' });
    await people.follow(alice, carol);
    expect(search('robin', { exactId: robin.id })).toEqual(['robin', 'carol', 'robina', 'erin']);
    expect(search('robin', { exactId: robin.id, limit: 2, offset: 1 })).toEqual(['carol', 'robina']);
    expect(search('robin', { exactId: robin.id, followedOnly: true })).toEqual(['carol']);
  });

  test('prefers those with more followers, then the older', async () => {
    people.local('robina');
    const robin = people.local('robin');
    expect(search('robi')).toEqual(['robina', 'robin']);
    await people.follow(bob, robin);
    expect(search('robi')).toEqual(['robin', 'robina']);
  });

  test('finds a followed account among more matches than a search examines, and lets others in between', async () => {
    const last = people.local('crowd999', { displayName: 'Last' });
    const crowd = Array.from({ length: 300 }, (_, count) => people.local(`crowd${count}`));
    await people.follow(alice, last);
    expect(search('crowd')[0]).toBe('crowd999');
    expect(search('crowd', { followedOnly: true })).toEqual(['crowd999']);
    expect(finish(steps('crowd999'))).toEqual({ found: ['crowd999'], slices: 1 });
    const { slices, found } = finish(steps('crowd', { limit: 300 }));
    expect(slices).toBeGreaterThan(4);
    const long = steps('crowd', { limit: 300 });
    for (let slice = 1; slice < slices; slice += 1) long.next();
    await people.block(alice, crowd[0]!);
    expect(finish(long)).toEqual({ found: found.filter((name) => name !== 'crowd0'), slices: 1 });
  });

  test('finds an account of this server among any number of others with such names', () => {
    people.local('crowded');
    people.server.turn(Account.actor, alice.id, (turn) => {
      for (let count = 0; count < 300; count += 1) turn.put(accountNames, [`crowd${count}`, turn.nextId()], true);
    });
    expect(search('crowd')).toEqual(['crowded']);
  });

  test('forgets a former name', () => {
    people.change(alice, { displayName: 'Alice Hargreaves' });
    expect([search('liddell'), search('hargr'), search('alice')]).toEqual([[], ['alice'], ['alice']]);
  });

  test('does not find who is suspended, deleted or blocked on either side, and who has moved only exactly', async () => {
    const carol = people.suspend(people.local('carol'));
    expect(search('carol', { exactId: carol.id })).toEqual([]);
    const dave = people.move(people.local('dave'), bob);
    expect([search('dave'), search('dave', { exactId: dave.id })]).toEqual([[], ['dave']]);
    people.remote('erin', 'remote.example', { deletedRemotelyAt: 1 });
    people.local('frank', {}, { approved: false });
    expect([search('erin'), search('frank')]).toEqual([[], []]);
    await people.block(alice, bob);
    expect(search('bob', { exactId: bob.id })).toEqual([]);
    await people.unblock(alice, bob);
    expect(search('bob')).toEqual(['bob']);
    await people.server.call(Account.blocked.to(alice.id, { by: bob.id }));
    expect(search('bob', { exactId: bob.id })).toEqual([]);
  });

  test('for an address finds the account at that address and nothing else', () => {
    const address = { words: 'https://remote.example/users/bob', namesNothingElse: true };
    people.local('https', { displayName: 'https remote example users bob' });
    expect(search(address.words, { ...address, exactId: bob.id })).toEqual(['bob']);
    expect(search(address.words, address)).toEqual([]);
  });
});

const listed = (page: object = {}, viewerId?: bigint) => {
  const { read, clock } = people.server;
  const viewer = viewerOf(read, viewerId, clock.now());
  const whole = { order: 'new' as const, localOnly: false, offset: 0, limit: 10 };
  return listedAccounts(read, viewer, { ...whole, ...page }).map(({ profile }) => profile.username);
};

test('the directory of this server has its accounts, however many others are known since', async () => {
  people.change(alice, { discoverable: true });
  people.server.turn(Account.actor, alice.id, (turn) => {
    for (let count = 0; count < 1_000; count += 1) turn.put(discoverableAccounts, [turn.nextId()], { local: false });
  });
  for (const order of ['new', 'active']) expect(listed({ order, localOnly: true })).toEqual(['alice']);
  people.change(alice, { discoverable: false });
  expect(listed({ localOnly: true })).toEqual([]);
});

test('the directory lists who wants to be found, newest first or by their last post', async () => {
  expect(listed()).toEqual([]);
  people.change(alice, { discoverable: true });
  people.learn(bob, { discoverable: true });
  const carol = people.local('carol', { discoverable: true });
  people.suspend(people.local('dave', { discoverable: true }));
  people.move(people.local('erin', { discoverable: true }), bob);
  people.remote('frank', 'else.example', { discoverable: true, limited: true });
  expect(listed()).toEqual(['carol', 'bob', 'alice']);
  expect(listed({ localOnly: true })).toEqual(['carol', 'alice']);
  expect(listed({ offset: 1, limit: 1 })).toEqual(['bob']);
  await people.publish(alice);
  expect(listed({ order: 'active' })).toEqual(['alice', 'carol', 'bob']);
  await people.mute(alice, carol);
  await people.block(alice, bob);
  people.remote('gina', 'hidden.example', { discoverable: true });
  expect(listed({}, alice.id)).toEqual(['gina', 'alice']);
  await people.server.call(Account.blockDomain.to(alice.id, { domain: 'hidden.example', followed: [] }));
  expect(listed({}, alice.id)).toEqual(['alice']);
  people.change(carol, { discoverable: false });
  expect(listed()).toEqual(['gina', 'bob', 'alice']);
});
