/** Blocks (specification 6.2: Block and its Undo), and what they end. */
import { beforeEach, expect, test } from 'vitest';
import { hiddenAccountsChanged } from '../../../../src/actors/account/relationships/relationships.events.ts';
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

function expectNoFollows(one: Person, other: Person): void {
  for (const [viewer, viewed] of [[one, other] as const, [other, one] as const]) {
    const none = { follow: undefined, followedBy: false, requestedBy: false };
    expect(people.relationship(viewer, viewed)).toMatchObject(none);
    expect(people.accountCounters(viewer)).toMatchObject({ followers: 0, following: 0 });
  }
}

test('a block is known to both, and undone for both', async () => {
  await people.block(alice, bob);
  expect(people.blockedIds(alice)).toEqual([bob.id]);
  expect(people.relationship(bob, alice).blockedBy).toBe(true);
  expect(people.server.events(hiddenAccountsChanged)).toEqual([
    { accountId: alice.id, targetId: bob.id },
    { accountId: bob.id, targetId: alice.id },
  ]);
  await people.unblock(alice, bob);
  expect(people.blockedIds(alice)).toEqual([]);
  expect(people.relationship(alice, bob).blocking).toBe(false);
  expect(people.relationship(bob, alice).blockedBy).toBe(false);
  expect(people.server.events(hiddenAccountsChanged)).toHaveLength(4);
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

test('a remote account is sent the Block, and the end of each follow', async () => {
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
  const [blocked] = people.takeDeliveries();
  await people.unblock(alice, carol);
  const [undone] = people.takeDeliveries();
  const blockId = blocked!.intent.activityId;
  expect(blocked).toMatchObject({ intent: { kind: 'block', blockId } });
  expect(undone).toMatchObject({ intent: { kind: 'undoBlock', blockId } });
});

test('a block by a remote account ends follows and is delivered to nobody', async () => {
  await people.follow(alice, carol);
  await people.receiveFollow(carol, alice, 'https://remote.example/follows/1');
  people.takeDeliveries();
  people.takeDomainNews();
  await people.block(carol, { ...alice, destination: undefined });
  expectNoFollows(alice, carol);
  expect(people.relationship(alice, carol).blockedBy).toBe(true);
  expect(people.takeDeliveries()).toEqual([]);
  expect(people.takeDomainNews()).toMatchObject([{ news: 'followerLost' }]);
  expect(people.server.events(hiddenAccountsChanged)).toEqual([{ accountId: alice.id, targetId: carol.id }]);
});
