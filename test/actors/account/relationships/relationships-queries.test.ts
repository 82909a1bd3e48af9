import { beforeEach, describe, expect, test } from 'vitest';
import { findAccount } from '../../../../src/actors/account/profile/profiles.queries.ts';
import { findRelationship } from '../../../../src/actors/account/relationship-views.queries.ts';
import {
  allAccounts,
  blocksOf,
  countFollowRequests,
  followedBy,
  followersOf,
  followRequestsOf,
  hidesLists,
  mutesOf,
  shownAccounts,
} from '../../../../src/actors/account/relationships/relationships.queries.ts';
import { viewerOf } from '../../../../src/actors/account/relationships/viewer.queries.ts';
import { anonymous } from '../../../../src/actors/policy/visibility.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.remote('carol', 'remote.example');
});

const relationship = (viewer: Person, other: Person) =>
  findRelationship(people.server.read, viewer.id, other.id, people.server.clock.now());
const viewer = (person: Person) => viewerOf(people.server.read, person.id, people.server.clock.now());
const idsOf = (page: { items: { profile: { id: bigint } }[] }) => page.items.map((item) => item.profile.id);

describe('a relationship', () => {
  const nothing = {
    follow: undefined,
    followedBy: false,
    requestedBy: false,
    blocking: false,
    blockedBy: false,
    mute: undefined,
    domainBlocking: false,
    endorsed: false,
    note: '',
  };

  test('between strangers is nothing', () => {
    expect(relationship(alice, bob)).toEqual({ accountId: bob.id, ...nothing });
  });

  test('tells both directions of a follow', async () => {
    await people.follow(alice, bob, { reblogs: false });
    expect(relationship(alice, bob)).toMatchObject({ ...nothing, follow: { state: 'accepted', showReblogs: false } });
    expect(relationship(bob, alice)).toMatchObject({ ...nothing, followedBy: true });
  });

  test('tells both directions of a request', async () => {
    people.change(bob, { locked: true });
    await people.follow(alice, bob);
    expect(relationship(alice, bob)).toMatchObject({ ...nothing, follow: { state: 'requested' } });
    expect(relationship(bob, alice)).toMatchObject({ ...nothing, requestedBy: true });
  });

  test('tells both directions of a block', async () => {
    await people.block(alice, bob);
    expect(relationship(alice, bob)).toEqual({ accountId: bob.id, ...nothing, blocking: true });
    expect(relationship(bob, alice)).toEqual({ accountId: alice.id, ...nothing, blockedBy: true });
  });

  test('has a mute until it ends', async () => {
    await people.mute(alice, bob, { seconds: 60 });
    const { mute } = relationship(alice, bob);
    expect(mute).toMatchObject({ hideNotifications: true });
    expect(findRelationship(people.server.read, alice.id, bob.id, mute!.expiresAt!).mute).toBeUndefined();
    expect(relationship(bob, alice).mute).toBeUndefined();
  });
});

describe('lists', () => {
  let fans: Person[];

  beforeEach(async () => {
    fans = [];
    for (const name of ['dave', 'erin', 'frank', 'grace']) {
      const fan = people.local(name);
      fans.push(fan);
      people.server.clock.advance(1_000);
      await people.follow(fan, alice);
    }
  });

  const page = (bounds: { maxId?: bigint; sinceId?: bigint; minId?: bigint; limit?: number }, reader = anonymous) =>
    followersOf(people.server.read, alice.id, shownAccounts(people.server.read, reader), { limit: 40, ...bounds });

  test('are newest first, and page both ways by the ids of the follows', () => {
    const [dave, erin, frank, grace] = fans.map((fan) => fan.id);
    expect(idsOf(page({}))).toEqual([grace, frank, erin, dave]);
    const first = page({ limit: 2 });
    expect(idsOf(first)).toEqual([grace, frank]);
    expect(first.full).toBe(true);
    const second = page({ limit: 3, maxId: first.oldest! });
    expect(idsOf(second)).toEqual([erin, dave]);
    expect(second.full).toBe(false);
    expect(idsOf(page({ sinceId: second.newest!, limit: 1 }))).toEqual([grace]);
    expect(idsOf(page({ minId: second.newest!, limit: 1 }))).toEqual([frank]);
    expect(page({ maxId: second.oldest! })).toEqual({ items: [], newest: undefined, oldest: undefined, full: false });
  });

  test('leave suspended accounts out, and those the viewer blocks or is blocked by', async () => {
    const [dave, erin, frank, grace] = fans as [Person, Person, Person, Person];
    people.suspend(dave);
    await people.block(bob, erin);
    await people.block(frank, bob);
    expect(idsOf(page({}, viewer(bob)))).toEqual([grace.id]);
    expect(idsOf(page({}))).toEqual([grace.id, frank.id, erin.id]);
  });

  test('of followed accounts, requests, blocks and mutes hold what they name', async () => {
    const { read } = people.server;
    const bounds = { limit: 40 };
    const shown = shownAccounts(read, anonymous);
    people.change(bob, { locked: true });
    await people.follow(alice, bob);
    await people.follow(alice, carol);
    expect(idsOf(followedBy(read, alice.id, shown, bounds))).toEqual([carol.id]);
    expect(idsOf(followRequestsOf(read, bob.id, shown, bounds))).toEqual([alice.id]);
    expect(countFollowRequests(people.server.read, bob.id, 10)).toBe(1);
    await people.block(alice, carol);
    await people.mute(alice, bob, { seconds: 60 });
    expect(idsOf(blocksOf(read, alice.id, allAccounts(read), bounds))).toEqual([carol.id]);
    const muted = mutesOf(read, alice.id, allAccounts(read), bounds, people.server.clock.now());
    expect(muted.items.map(({ account }) => account.profile.id)).toEqual([bob.id]);
    expect(muted.items[0]!.mute.expiresAt).toBe(people.server.clock.now() + 60_000);
    expect(mutesOf(read, alice.id, allAccounts(read), bounds, people.server.clock.now() + 60_000).items).toEqual([]);
  });

  test.each([
    ['hidden: others see nothing', true, false, true],
    ['open: others see them', false, false, false],
    ['open, but the owner blocks the viewer', false, true, true],
  ])('%s', async (_case, hideCollections, blocksViewer, hidden) => {
    people.change(alice, { hideCollections });
    if (blocksViewer) await people.block(alice, bob);
    const { profile } = findAccount(people.server.read, alice.id)!;
    expect(hidesLists(profile, viewer(bob))).toBe(hidden);
    expect(hidesLists(profile, viewer(alice))).toBe(false);
    expect(hidesLists(profile, anonymous)).toBe(hideCollections);
  });
});
