/**
 * Follower and following collections, for other servers and of them: accounts that hide theirs show only totals
 * (specification 4.2).
 */
import { expect, it, onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { getFollowers } from '../../src/gateway/rest/accounts/get-followers.ts';
import { startTestGateway } from '../support/gateway.ts';
import { addWithToken } from '../support/sign-up.ts';
import { home, InboundBed } from './inbound-bed.ts';

it.each(['followers', 'following'] as const)('the list of %s has its members, unless they are hidden', async (list) => {
  const bed = new InboundBed();
  const [alice, bob] = [await bed.local('alice'), await bed.local('bob')];
  const ends = list === 'followers' ? ([bob, alice] as const) : ([alice, bob] as const);
  await bed.gateway.actors.call(Account.follow.to(ends[0], { targetId: ends[1], options: {} }));
  const read = async (query = '') => {
    const headers = { accept: 'application/activity+json' };
    const response = await bed.gateway.fetch(`/users/alice/${list}${query}`, { headers });
    return (await response.json()) as { totalItems: number; first?: string; orderedItems?: unknown };
  };
  const { first, totalItems } = await read();
  const page = first!.slice(first!.indexOf('?'));
  expect([totalItems, (await read(page)).orderedItems]).toEqual([1, [`${home}/users/bob`]]);
  await bed.gateway.actors.call(Account.changeProfile.to(alice, { hideCollections: true }));
  for (const query of ['', page]) {
    const hidden = await read(query);
    expect(hidden).toMatchObject({ totalItems: 1 });
    expect([hidden.first, hidden.orderedItems]).toEqual([undefined, undefined]);
  }
});

it.each<[string, object, object | 'unreachable', boolean | undefined]>([
  ['both hidden, as Mastodon shows it', { totalItems: 3 }, { totalItems: 2 }, true],
  ['one hidden', { totalItems: 3, first: 'https://remote.example/1' }, { totalItems: 2 }, true],
  ['one hidden, one unreachable', { totalItems: 3 }, 'unreachable', true],
  ['both open', { totalItems: 3, first: 'https://remote.example/1' }, { totalItems: 1, orderedItems: [] }, false],
  ['one open, one unreachable', { totalItems: 3, first: 'https://remote.example/1' }, 'unreachable', undefined],
  ['no collections', { type: 'Note' }, { type: 'Note' }, false],
])('the lists of a remote account, %s, are shown accordingly', async (_name, followers, following, isHidden) => {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const at = 'https://remote.example/users/bob';
  const lists = { followers: `${at}/followers`, following: `${at}/following` };
  const bob = bed.person('remote.example', 'bob', { featured: `${at}/featured`, ...lists });
  const bobId = await bed.follow(alice, bob);
  const hides = () => findProfile(bed.read, bobId)!.hideCollections;
  for (const former of [false, true]) {
    await bed.gateway.actors.call(Account.receiveHiding.to(bobId, { hideCollections: former }));
    bed.web.set(lists.followers, { id: lists.followers, type: 'OrderedCollection', ...followers });
    bed.web.set(
      lists.following,
      following === 'unreachable' ? following : { id: lists.following, type: 'OrderedCollection', ...following },
    );
    bed.gateway.actors.clock.advance(120_000);
    await bed.gateway.actors.call(Account.refreshPins.to(bobId, { ageMilliseconds: 60_000 }));
    await bed.runEffects();
    expect(hides()).toBe(isHidden ?? former);
  }
  await bed.gateway.actors.call(Account.learnProfile.to(bobId, { profile: findProfile(bed.read, bobId)! }));
  expect(hides()).toBe(isHidden ?? true);
});

it('the lists of a remote account are asked for once a day, and again after an Update', async () => {
  const bed = new InboundBed();
  const { id: alice, token } = await addWithToken(bed.gateway, 'alice');
  const at = 'https://remote.example/users/bob';
  const lists = { followers: `${at}/followers`, following: `${at}/following` };
  const bob = bed.person('remote.example', 'bob', { featured: `${at}/featured`, ...lists });
  const bobId = await bed.follow(alice, bob);
  const api = startTestGateway({ endpoints: [getFollowers], beside: bed.gateway });
  onTestFinished(() => api.close());
  const look = async () => {
    expect((await api.fetch(`/api/v1/accounts/${bobId}/followers`, { token })).status).toBe(200);
    await bed.runEffects();
    return findProfile(bed.read, bobId)!.hideCollections;
  };
  const show = (more: object) => {
    for (const id of Object.values(lists)) bed.web.set(id, { id, type: 'OrderedCollection', totalItems: 9, ...more });
  };
  show({ first: `${at}/page` });
  expect(await look()).toBe(false);
  show({});
  expect(await look()).toBe(false);
  expect(await bed.send(bob, bob.activity('Update', bob.document))).toBe(202);
  expect(await look()).toBe(true);
});
