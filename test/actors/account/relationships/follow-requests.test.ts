/** Requests to follow (specification 3: authorised, rejected, or let in where the account is unlocked). */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { relationshipLimits } from '../../../../src/actors/account/relationships/limits.ts';
import { followChanged } from '../../../../src/actors/account/relationships/relationships.events.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob', { locked: true });
});

const stateOf = (follower: Person, target: Person) => people.relationship(follower, target).follow?.state;
const isFollower = (target: Person, follower: Person) => people.relationship(target, follower).followedBy;
const waiting = (target: Person) => people.requesterIds(target).length;

test('authorising turns a request into a follow, at both ends', async () => {
  await people.follow(alice, bob, { reblogs: false });
  await people.authorize(bob, alice);
  expect(stateOf(alice, bob)).toBe('accepted');
  expect(isFollower(bob, alice)).toBe(true);
  expect(waiting(bob)).toBe(0);
  expect(people.accountCounters(alice)).toMatchObject({ following: 1 });
  expect(people.accountCounters(bob)).toMatchObject({ followers: 1 });
  expect(people.server.events(followChanged)).toMatchObject([
    { accountId: alice.id, targetId: bob.id, following: true, showReblogs: false },
  ]);
  expect(people.shownNotifications(bob)).toMatchObject([{ type: 'follow', fromId: alice.id }]);
});

test('authorising twice is harmless, authorising a stranger is not found', async () => {
  const carol = people.local('carol');
  await people.follow(alice, bob);
  await people.authorize(bob, alice);
  await people.authorize(bob, alice);
  expect(people.accountCounters(bob)).toMatchObject({ followers: 1 });
  expect(people.shownNotifications(bob)).toHaveLength(1);
  await expect(people.authorize(bob, carol)).rejects.toMatchObject({ code: 'notFound' });
});

test('rejecting leaves nothing, and may be repeated', async () => {
  await people.follow(alice, bob);
  await people.reject(bob, alice);
  await people.reject(bob, alice);
  expect(stateOf(alice, bob)).toBeUndefined();
  expect(people.requesterIds(bob)).toEqual([]);
  expect(waiting(bob)).toBe(0);
  expect(people.shownNotifications(bob)).toEqual([]);
  expect(people.server.problems).toEqual([]);
});

test('rejecting removes a follower that was accepted before', async () => {
  await people.follow(alice, bob);
  await people.authorize(bob, alice);
  await people.reject(bob, alice);
  expect(stateOf(alice, bob)).toBeUndefined();
  expect(isFollower(bob, alice)).toBe(false);
  expect(people.server.events(followChanged).at(-1)).toMatchObject({ following: false });
});

test.each([
  ['authorize', 'acceptFollow'],
  ['reject', 'rejectFollow'],
] as const)('the answer to a remote requester goes to its inbox: %s', async (answer, kind) => {
  const uri = 'https://remote.example/follows/1';
  const carol = people.remote('carol', 'remote.example');
  await people.receiveFollow(carol, bob, uri);
  expect(people.takeDeliveries()).toEqual([]);
  await people[answer](bob, { ...carol, destination: undefined });
  expect(people.takeDeliveries()).toMatchObject([
    { intent: { kind, actorId: bob.id, targetId: carol.id, followUri: uri }, inboxes: [carol.destination!.inbox] },
  ]);
  expect(people.takeDomainNews().map(({ news }) => news)).toEqual(answer === 'authorize' ? ['followerGained'] : []);
});

test('an account that becomes unlocked lets everybody in, in slices', async () => {
  const remote = people.remote('carol', 'remote.example');
  await people.receiveFollow(remote, bob, 'https://remote.example/follows/1');
  const fans: Person[] = [];
  for (let number = 0; number < relationshipLimits.authorizationsPerTurn + 10; number += 1)
    fans.push(people.local(`fan${number}`));
  for (const fan of fans) await people.follow(fan, bob);
  people.change(bob, { locked: false });
  expect(waiting(bob)).toBe(0);
  expect(fans.filter((fan) => stateOf(fan, bob) !== 'accepted' || !isFollower(bob, fan))).toEqual([]);
  expect(people.shownNotifications(bob)).toEqual([]);
  expect(people.accountCounters(bob)).toMatchObject({ followers: fans.length + 1 });
  expect(people.takeDeliveries()).toMatchObject([
    { intent: { kind: 'acceptFollow', targetId: remote.id } },
    { intent: { kind: 'updateAccount', actorId: bob.id } },
  ]);
});

test('an account that is locked again meanwhile keeps the rest waiting', async () => {
  await people.follow(alice, bob);
  people.say(Account.authorizePending.to(bob.id, {}));
  expect(stateOf(alice, bob)).toBe('requested');
  expect(waiting(bob)).toBe(1);
});
