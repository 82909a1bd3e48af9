import { beforeEach, expect, test } from 'vitest';
import { accountCounters } from '../../../../src/actors/account/profile/profile.state.ts';
import { sightChanged } from '../../../../src/actors/account/relationships/relationships.events.ts';
import {
  blockedBy,
  blocks,
  blocksByTime,
  followers,
  following,
  followRequests,
} from '../../../../src/actors/account/relationships/relationships.state.ts';
import { People, type Person } from '../people.ts';

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

const blocksOf = (person: Person) =>
  [...people.server.read.range(blocksByTime, [person.id])].map((row) => row.value.id);
const isBlockedBy = (person: Person, other: Person) =>
  people.server.read.get(blockedBy, [person.id, other.id]) !== undefined;

function expectNoFollows(one: Person, other: Person): void {
  const { read } = people.server;
  for (const key of [[one.id, other.id] as const, [other.id, one.id] as const]) {
    expect(read.get(following, [...key])).toBeUndefined();
    expect(read.get(followers, [...key])).toBeUndefined();
    expect(read.get(followRequests, [...key])).toBeUndefined();
  }
  for (const person of [one, other]) {
    const counters = read.get(accountCounters, [person.id]);
    expect([counters?.followers ?? 0, counters?.following ?? 0]).toEqual([0, 0]);
  }
}

test('a block is known to both, and undone for both', async () => {
  await people.block(alice, bob);
  expect(blocksOf(alice)).toEqual([bob.id]);
  expect(isBlockedBy(bob, alice)).toBe(true);
  expect(people.server.events(sightChanged)).toEqual([
    { accountId: alice.id, targetId: bob.id },
    { accountId: bob.id, targetId: alice.id },
  ]);
  await people.unblock(alice, bob);
  expect(blocksOf(alice)).toEqual([]);
  expect(people.server.read.get(blocks, [alice.id, bob.id])).toBeUndefined();
  expect(isBlockedBy(bob, alice)).toBe(false);
  expect(people.server.events(sightChanged)).toHaveLength(4);
});

test('blocking twice and unblocking twice is harmless; blocking oneself is forbidden', async () => {
  await people.block(alice, carol);
  await people.block(alice, carol);
  await people.unblock(alice, carol);
  await people.unblock(alice, carol);
  expect(people.takeDeliveries().map(({ intent }) => intent.kind)).toEqual(['block', 'undoBlock']);
  await expect(people.block(alice, alice)).rejects.toMatchObject({ code: 'forbidden' });
  expect(people.server.problems).toEqual([]);
});

test.each([true, false])('a block ends follows and requests in both directions (locked: %s)', async (locked) => {
  people.change(alice, { locked });
  people.change(bob, { locked });
  await people.follow(alice, bob);
  await people.follow(bob, alice);
  await people.block(alice, bob);
  expectNoFollows(alice, bob);
});

test('a remote account hears of the block, and of each follow it ends', async () => {
  await people.follow(alice, carol);
  await people.receiveFollow(carol, alice, 'https://remote.example/follows/1');
  people.takeDeliveries();
  people.takeDomainNews();
  await people.block(alice, carol);
  const deliveries = people.takeDeliveries();
  expect(deliveries.map(({ intent }) => intent.kind)).toEqual(['undoFollow', 'rejectFollow', 'block']);
  for (const { inboxes } of deliveries) expect(inboxes).toEqual([carol.destination!.inbox]);
  expect(people.takeDomainNews()).toMatchObject([{ news: 'followerLost', followerId: carol.id }]);
  expectNoFollows(alice, carol);
});

test('the undo names the block it undoes', async () => {
  await people.block(alice, carol);
  const blockId = people.server.read.get(blocks, [alice.id, carol.id])!.id;
  await people.unblock(alice, carol);
  expect(people.takeDeliveries()).toMatchObject([
    { intent: { kind: 'block', activityId: blockId, blockId } },
    { intent: { kind: 'undoBlock', blockId } },
  ]);
});

test('a block by a remote account ends follows and is delivered to nobody', async () => {
  await people.follow(alice, carol);
  await people.receiveFollow(carol, alice, 'https://remote.example/follows/1');
  people.takeDeliveries();
  people.takeDomainNews();
  await people.block(carol, { ...alice, destination: undefined });
  expectNoFollows(alice, carol);
  expect(isBlockedBy(alice, carol)).toBe(true);
  expect(people.takeDeliveries()).toEqual([]);
  expect(people.takeDomainNews()).toMatchObject([{ news: 'followerLost' }]);
  expect(people.server.events(sightChanged)).toEqual([{ accountId: alice.id, targetId: carol.id }]);
});
