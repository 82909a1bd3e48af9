/**
 * Following (specification 2.6: options apply to new statuses; 3: a locked account is asked, and following again
 * changes the options).
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { notified } from '../../../../src/actors/account/notifications/notifications.events.ts';
import { accountCounters } from '../../../../src/actors/account/profile/profile.state.ts';
import { relationshipLimits } from '../../../../src/actors/account/relationships/limits.ts';
import { followChanged } from '../../../../src/actors/account/relationships/relationships.events.ts';
import { followedByUri } from '../../../../src/actors/account/remote/federation.queries.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
});

const followOf = (follower: Person, target: Person) => people.relationship(follower, target).follow;
const countersOf = (person: Person) => people.accountCounters(person);
const notificationsOf = (person: Person) =>
  people.server.events(notified).flatMap(({ accountId, type }) => (accountId === person.id ? [type] : []));

/** Both ends, their indexes and counters agree that there is no follow and no request. */
function expectNothing(follower: Person, target: Person): void {
  expect(followOf(follower, target)).toBeUndefined();
  expect(people.followedIds(follower)).toEqual([]);
  expect(people.followIdAt(target, follower)).toBeUndefined();
  expect(people.relationship(target, follower).requestedBy).toBe(false);
  expect(people.followerIds(target)).toEqual([]);
  expect(countersOf(follower).following).toBe(0);
  expect(countersOf(target).followers).toBe(0);
  expect(people.server.problems).toEqual([]);
}

describe('a new follow', () => {
  test('of an unlocked account holds at once, at both ends', async () => {
    expect(await people.follow(alice, bob)).toEqual({ state: 'accepted' });
    const kept = followOf(alice, bob);
    expect(kept).toMatchObject({ state: 'accepted', showReblogs: true, notify: false, languages: undefined });
    expect(people.followIdAt(bob, alice)).toBe(kept!.id);
    expect(people.followedIds(alice)).toEqual([bob.id]);
    expect(people.followerIds(bob)).toEqual([alice.id]);
    expect(countersOf(alice)).toMatchObject({ following: 1, followers: 0 });
    expect(countersOf(bob)).toMatchObject({ following: 0, followers: 1 });
    people.expectSound();
    expect(people.server.events(followChanged)).toMatchObject([
      { accountId: alice.id, targetId: bob.id, following: true, showReblogs: true },
    ]);
    expect(notificationsOf(bob)).toEqual(['follow']);
    expect(people.takeDeliveries()).toEqual([]);
  });

  test('of a locked account waits, with its options', async () => {
    people.change(bob, { locked: true });
    expect(await people.follow(alice, bob, { reblogs: false, notify: true })).toEqual({ state: 'requested' });
    expect(followOf(alice, bob)).toMatchObject({ state: 'requested', showReblogs: false, notify: true });
    expect(people.relationship(bob, alice)).toMatchObject({ followedBy: false, requestedBy: true });
    people.expectSound();
    expect(countersOf(alice)?.following ?? 0).toBe(0);
    expect(people.server.events(followChanged)).toEqual([]);
    expect(notificationsOf(bob)).toEqual(['follow_request']);
  });

  test.each([
    ['oneself', () => people.follow(alice, alice)],
    ['somebody one blocks', () => people.block(alice, bob).then(() => people.follow(alice, bob))],
    ['somebody who blocks', () => people.block(bob, alice).then(() => people.follow(alice, bob))],
  ])('of %s is forbidden', async (_case, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
    expectNothing(alice, bob);
  });

  test.each([
    ['suspended', () => people.suspend(bob)],
    ['moved', () => people.move(bob, people.local('carol'))],
  ])('of a %s account is refused and leaves nothing', async (_case, change) => {
    change();
    expect(await people.follow(alice, bob)).toEqual({ state: 'refused' });
    expectNothing(alice, bob);
  });

  test.each([
    ['suspended', () => people.suspend(bob)],
    [
      'moved to somebody blocked',
      async () => {
        const carol = people.local('carol');
        await people.block(alice, carol);
        people.move(bob, carol);
      },
    ],
  ])('of an account that is %s since goes on, with other options', async (_case, change) => {
    await people.follow(alice, bob);
    await change();
    expect(await people.follow(alice, bob, { reblogs: false })).toEqual({ state: 'accepted' });
    expect(followOf(alice, bob)).toMatchObject({ state: 'accepted', showReblogs: false });
    expect(people.followerIds(bob)).toEqual([alice.id]);
  });

  test.each([
    ['suspended', () => people.suspend(bob)],
    ['moved', () => people.move(bob, people.local('carol'))],
  ])('that waits for an account that is %s since ends when it is repeated', async (_case, change) => {
    people.change(bob, { locked: true });
    await people.follow(alice, bob);
    change();
    expect(await people.follow(alice, bob)).toEqual({ state: 'refused' });
    expectNothing(alice, bob);
    expect(people.notificationsOf(bob)).toEqual([]);
  });

  test('beyond the limit is refused, unless one has that many followers', async () => {
    const setCounters = (followersCount: number) =>
      people.server.turn(Account.actor, alice.id, (turn) =>
        turn.put(accountCounters, [alice.id], {
          statuses: 0,
          following: relationshipLimits.followsMax,
          followers: followersCount,
        }),
      );
    setCounters(0);
    await expect(people.follow(alice, bob)).rejects.toMatchObject({ code: 'validation' });
    setCounters(relationshipLimits.followsMax);
    expect(await people.follow(alice, bob)).toEqual({ state: 'accepted' });
  });
});

describe('following again', () => {
  test('with nothing new changes nothing', async () => {
    await people.follow(alice, bob, { reblogs: false });
    const before = followOf(alice, bob);
    people.server.forgetEvents();
    expect(await people.follow(alice, bob)).toEqual({ state: 'accepted' });
    expect(followOf(alice, bob)).toEqual(before);
    expect(people.server.events(followChanged)).toEqual([]);
    expect(countersOf(bob)).toMatchObject({ followers: 1 });
    expect(notificationsOf(bob)).toEqual([]);
  });

  test('changes the given options only, and remembers what was in force', async () => {
    await people.follow(alice, bob, { notify: true, languages: ['de'] });
    people.server.clock.advance(1_000);
    const changedAt = people.server.clock.now();
    await people.follow(alice, bob, { reblogs: false });
    expect(followOf(alice, bob)).toMatchObject({
      showReblogs: false,
      notify: true,
      languages: ['de'],
      history: [{ until: changedAt, showReblogs: true, languages: ['de'] }],
    });
    people.expectSound();
    expect(people.server.events(followChanged).at(-1)).toMatchObject({ following: true, showReblogs: false });
  });

  test('with another choice of post notifications reaches the target, and is no history', async () => {
    await people.follow(alice, bob);
    await people.follow(alice, bob, { notify: true });
    expect(followOf(alice, bob)).toMatchObject({ notify: true, history: [] });
    people.expectSound();
  });

  test('with an empty choice of languages shows all of them', async () => {
    await people.follow(alice, bob, { languages: ['de', 'fr'] });
    await people.follow(alice, bob, { languages: [] });
    expect(followOf(alice, bob)).toMatchObject({ languages: undefined, history: [{ languages: ['de', 'fr'] }] });
  });

  test('keeps a bounded history, newest first', async () => {
    await people.follow(alice, bob);
    for (let change = 1; change <= 2 * relationshipLimits.followHistoryEntriesMax; change += 1) {
      people.server.clock.advance(1_000);
      await people.follow(alice, bob, { reblogs: change % 2 === 0 });
    }
    const times = followOf(alice, bob)!.history.map((entry) => entry.until);
    expect(times).toHaveLength(relationshipLimits.followHistoryEntriesMax);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect(times[0]).toBe(people.server.clock.now());
  });

  test('while requested asks again without a second notification', async () => {
    people.change(bob, { locked: true });
    await people.follow(alice, bob);
    expect(await people.follow(alice, bob, { reblogs: false })).toEqual({ state: 'requested' });
    expect(followOf(alice, bob)).toMatchObject({ showReblogs: false, history: [] });
    people.expectSound();
    expect(notificationsOf(bob)).toEqual(['follow_request']);
  });
});

describe('unfollowing', () => {
  test('ends a follow at both ends', async () => {
    await people.follow(alice, bob);
    await people.unfollow(alice, bob);
    expectNothing(alice, bob);
    people.expectSound();
    expect(people.server.events(followChanged).at(-1)).toMatchObject({ following: false });
  });

  test('takes a request back', async () => {
    people.change(bob, { locked: true });
    await people.follow(alice, bob);
    await people.unfollow(alice, bob);
    expectNothing(alice, bob);
  });

  test('of somebody not followed does nothing', async () => {
    await people.unfollow(alice, bob);
    expectNothing(alice, bob);
  });
});

describe('a remote target', () => {
  test('not known to be locked is followed at once; Follow and Undo go to its inbox', async () => {
    const carol = people.remote('carol', 'remote.example');
    expect(await people.follow(alice, carol)).toEqual({ state: 'accepted' });
    const followId = followOf(alice, carol)!.id;
    const inboxes = ['https://remote.example/users/carol/inbox'];
    expect(people.takeDeliveries()).toEqual([
      {
        intent: { kind: 'follow', actorId: alice.id, activityId: followId, targetId: carol.id, followId },
        inboxes,
        toFollowers: false,
      },
    ]);
    await people.unfollow(alice, carol);
    expect(people.takeDeliveries()).toMatchObject([{ intent: { kind: 'undoFollow', followId }, inboxes }]);
    expectNothing(alice, carol);
    expect(people.takeDomainNews()).toEqual([]);
  });

  test('that is suspended here cannot be followed, and is sent nothing', async () => {
    const carol = people.suspend(people.remote('carol', 'remote.example'));
    expect(await people.follow(alice, carol)).toEqual({ state: 'refused' });
    expect(people.takeDeliveries()).toEqual([]);
    expectNothing(alice, carol);
  });

  test('followed with other options is sent nothing new', async () => {
    const carol = people.remote('carol', 'remote.example');
    await people.follow(alice, carol);
    people.takeDeliveries();
    await people.follow(alice, carol, { reblogs: false, notify: true });
    people.expectSound();
    expect(people.takeDeliveries()).toEqual([]);
  });

  test('that is locked turns the request into a follow by its Accept', async () => {
    const carol = people.remote('carol', 'remote.example', { locked: true });
    expect(await people.follow(alice, carol)).toEqual({ state: 'requested' });
    people.takeDeliveries();
    await people.authorize(carol, alice);
    expect(followOf(alice, carol)).toMatchObject({ state: 'accepted' });
    expect(people.relationship(carol, alice).followedBy).toBe(true);
    expect(countersOf(alice)).toMatchObject({ following: 1 });
    expect(people.takeDeliveries()).toEqual([]);
  });

  test('that is locked is sent the Undo of a request that it has not answered', async () => {
    const carol = people.remote('carol', 'remote.example', { locked: true });
    await people.follow(alice, carol);
    const followId = followOf(alice, carol)!.id;
    expect(people.takeDeliveries()).toMatchObject([{ intent: { kind: 'follow', followId } }]);
    people.expectSound();
    await people.unfollow(alice, carol);
    expect(people.takeDeliveries()).toMatchObject([{ intent: { kind: 'undoFollow', followId } }]);
    expectNothing(alice, carol);
    expect(people.server.events(followChanged)).toEqual([]);
  });

  test('that is locked, asked again, gets no second Follow and stays asked', async () => {
    const carol = people.remote('carol', 'remote.example', { locked: true });
    await people.follow(alice, carol);
    people.takeDeliveries();
    expect(await people.follow(alice, carol, { reblogs: false })).toEqual({ state: 'requested' });
    expect(followOf(alice, carol)).toMatchObject({ state: 'requested', showReblogs: false });
    expect(people.takeDeliveries()).toEqual([]);
  });

  test('that became locked after its Accept stays followed', async () => {
    const carol = people.remote('carol', 'remote.example');
    await people.follow(alice, carol);
    people.learn(carol, { locked: true });
    expect(await people.follow(alice, carol, { reblogs: false })).toEqual({ state: 'accepted' });
    expect(followOf(alice, carol)).toMatchObject({ state: 'accepted', showReblogs: false });
  });

  test.each([true, false])('ends everything by its Reject (locked: %s)', async (locked) => {
    const carol = people.remote('carol', 'remote.example', { locked });
    await people.follow(alice, carol);
    people.takeDeliveries();
    await people.reject(carol, alice);
    expectNothing(alice, carol);
    expect(people.takeDeliveries()).toEqual([]);
  });
});

describe('a remote follower', () => {
  const uri = 'https://remote.example/follows/1';
  let carol: Person;

  beforeEach(() => {
    carol = people.remote('carol', 'remote.example');
  });

  test('of an unlocked account gets an Accept, and its domain learns of it', async () => {
    expect(await people.receiveFollow(carol, alice, uri)).toEqual({ state: 'accepted' });
    expect(followedByUri(people.server.read, carol.id, uri)).toBe(alice.id);
    expect(people.takeDeliveries()).toMatchObject([
      {
        intent: { kind: 'acceptFollow', actorId: alice.id, targetId: carol.id, followUri: uri },
        inboxes: [carol.destination!.inbox],
      },
    ]);
    expect(people.takeDomainNews()).toEqual([
      { host: 'remote.example', news: 'followerGained', accountId: alice.id, followerId: carol.id },
    ]);
    people.expectSound();
    expect(notificationsOf(alice)).toEqual(['follow']);
    expect(people.server.events(followChanged)).toEqual([]);
  });

  test('that asks again is answered again, about the new Follow', async () => {
    await people.receiveFollow(carol, alice, uri);
    const first = people.takeDeliveries()[0]!.intent.activityId;
    const next = 'https://remote.example/follows/2';
    await people.receiveFollow(carol, alice, next);
    const [again] = people.takeDeliveries();
    expect(again).toMatchObject({ intent: { kind: 'acceptFollow', followUri: next } });
    expect(again!.intent.activityId).not.toBe(first);
    expect(countersOf(alice)).toMatchObject({ followers: 1 });
  });

  test('of somebody who blocks it gets a Reject', async () => {
    await people.block(alice, carol);
    people.takeDeliveries();
    expect(await people.receiveFollow(carol, alice, uri)).toEqual({ state: 'refused' });
    expect(people.takeDeliveries()).toMatchObject([{ intent: { kind: 'rejectFollow', followUri: uri } }]);
    expectNothing(carol, alice);
  });

  test('that undoes its Follow is forgotten, also by its domain', async () => {
    await people.receiveFollow(carol, alice, uri);
    people.takeDeliveries();
    people.takeDomainNews();
    await people.unfollow(carol, alice);
    expectNothing(carol, alice);
    expect(people.takeDomainNews()).toEqual([
      { host: 'remote.example', news: 'followerLost', accountId: alice.id, followerId: carol.id },
    ]);
    people.expectSound();
    expect(people.takeDeliveries()).toEqual([]);
  });
});

describe('late answers', () => {
  test('a rejection of an earlier follow does not end the present one', async () => {
    await people.follow(alice, bob);
    const earlier = followOf(alice, bob)!.id;
    await people.unfollow(alice, bob);
    await people.follow(alice, bob);
    await people.server.call(Account.followRejected.to(alice.id, { targetId: bob.id, followId: earlier }));
    expect(followOf(alice, bob)).toMatchObject({ state: 'accepted' });
  });

  test('an answer to a follow that was ended meanwhile is ignored', async () => {
    const options = { showReblogs: true, notify: false };
    const late = { targetId: bob.id, followId: 77n, options, state: 'accepted' } as const;
    expect(await people.server.call(Account.followAnswered.to(alice.id, late))).toEqual({ state: 'accepted' });
    expectNothing(alice, bob);
  });
});
