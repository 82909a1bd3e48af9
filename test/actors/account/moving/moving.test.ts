/** Moving to another account: who comes along, and what they keep. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { listsWithMember } from '../../../../src/actors/account/lists/lists.queries.ts';
import { movingLimits } from '../../../../src/actors/account/moving/limits.ts';
import { Circle } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;

let circle: Circle;
let alice: Person;
let bob: Person;
/** Where bob goes. */
let next: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
  next = await circle.remote('bob', 'there.test', 0);
});

const target = (to: Person) => ({ targetId: to.id, targetDestination: to.destination });
const move = (from = bob, to = next) => circle.server.call(Account.move.to(from.id, target(to)));
const lock = (person: Person, locked: boolean) => circle.server.call(Account.changeProfile.to(person.id, { locked }));
const followOf = (other: Person) => circle.relationship(alice, other).follow;
const follows = (other: Person) => followOf(other)?.state === 'accepted';

describe('a local account that moves', () => {
  test('is followed there by its local followers, in the same way, and tells the others', async () => {
    const carol = await circle.local('carol', 1);
    const far = await circle.remote('far', 'far.test', 1);
    await circle.follow(alice, bob, { notify: true, languages: ['de'] });
    await circle.follow(carol, bob);
    await circle.follow(far, bob);
    circle.takeDeliveries();
    await move();
    expect([follows(bob), follows(next)]).toEqual([false, true]);
    expect(followOf(next)).toMatchObject({ notify: true, languages: ['de'] });
    expect(circle.followerIds(bob)).toEqual([far.id]);
    expect([...circle.followerIds(next)].sort()).toEqual([alice.id, carol.id].sort());
    expect(circle.profile(bob)).toMatchObject({ movedTo: next.id });
    const said = circle.takeDeliveries().map(({ intent, toFollowers }) => [intent.kind, toFollowers]);
    expect(said.filter(([, toFollowers]) => toFollowers)).toEqual([
      ['updateAccount', true],
      ['move', true],
    ]);
    expect(said.filter(([kind]) => kind === 'follow')).toHaveLength(2);
    circle.expectSound();
  });

  test('has its followers in slices, however many they are', async () => {
    const many = movingLimits.toldPerTurn + 2;
    for (let number = 0; number < many; number += 1)
      await circle.follow(await circle.local(`person_${number}`, number % 2 === 0 ? 0 : 1), bob);
    await move();
    expect(circle.accountCounters(bob).followers).toBe(0);
    expect(circle.accountCounters(next).followers).toBe(many);
    expect(circle.server.problems).toEqual([]);
  });

  test('stays where it went for 30 days, and may come back', async () => {
    await circle.follow(alice, bob);
    await move();
    await expect(move(bob, alice)).rejects.toMatchObject({ code: 'validation' });
    await circle.server.call(Account.cancelMove.to(bob.id, {}));
    expect(circle.profile(bob)?.movedTo).toBeUndefined();
    await expect(move()).rejects.toMatchObject({ code: 'validation' });
    circle.server.clock.advance(movingLimits.localRestMilliseconds + 1);
    await move();
    expect(circle.profile(bob)?.movedTo).toBe(next.id);
  });

  test('does not move to itself', async () => {
    await expect(move(bob, bob)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('is followed by nobody new', async () => {
    await move();
    await expect(circle.follow(alice, bob)).resolves.toBeUndefined();
    expect(follows(bob)).toBe(false);
  });
});

describe('a follower', () => {
  test('of somebody who has to be asked follows the former account until the new one agrees', async () => {
    const there = await circle.local('there', 0);
    await lock(there, true);
    await circle.follow(alice, bob);
    await move(bob, there);
    expect([follows(bob), follows(there), followOf(there)?.state]).toEqual([true, false, 'requested']);
    const { listId } = await circle.server.call(
      Account.createList.to(alice.id, { title: 'Friends', repliesPolicy: 'list', exclusive: false }),
    );
    await circle.server.call(Account.addToList.to(alice.id, { listId, memberIds: [bob.id] }));
    await circle.server.call(Account.authorizeFollow.to(there.id, { requesterId: alice.id }));
    circle.server.settle();
    expect([follows(bob), follows(there)]).toEqual([false, true]);
    const lists = (member: Person) => listsWithMember(circle.server.read, alice.id, member.id).map(({ id }) => id);
    expect([lists(bob), lists(there)]).toEqual([[], [listId]]);
    circle.expectSound();
  });

  test('keeps a mute, its end, and the note', async () => {
    await circle.follow(alice, bob);
    await circle.server.call(
      Account.mute.to(alice.id, { targetId: bob.id, hideNotifications: false, durationSeconds: 3_600 }),
    );
    await circle.server.call(Account.setNote.to(alice.id, { targetId: bob.id, comment: 'of the market' }));
    circle.server.clock.advance(600_000);
    await move();
    expect(circle.relationship(alice, next)).toMatchObject({
      mute: { hideNotifications: false },
      note: 'of the market',
    });
    circle.server.clock.advance(3_000_000 + 1);
    expect(circle.mutedIds(alice)).toEqual([]);
  });

  test('who follows both keeps the new follow as it is', async () => {
    await circle.follow(alice, bob, { notify: true });
    await circle.follow(alice, next);
    await move();
    expect([follows(bob), follows(next), followOf(next)?.notify]).toEqual([false, true, false]);
  });

  test('whom somebody moves to follows nobody in his place', async () => {
    await circle.follow(alice, bob);
    await move(bob, alice);
    expect([circle.followedIds(alice), circle.followerIds(bob)]).toEqual([[], []]);
  });

  test('who blocks the new account, or hides its domain, stays', async () => {
    const carol = await circle.local('carol', 1);
    for (const person of [alice, carol]) await circle.follow(person, bob);
    await circle.block(alice, next);
    await circle.server.call(Account.blockDomain.to(carol.id, { domain: 'there.test', followed: [] }));
    await move();
    expect(circle.followerIds(next)).toEqual([]);
    expect([...circle.followerIds(bob)].sort()).toEqual([alice.id, carol.id].sort());
    expect(circle.server.problems).toEqual([]);
  });
});

describe('a block', () => {
  test('follows the account, but not to somebody who is followed', async () => {
    const carol = await circle.local('carol', 1);
    for (const person of [alice, carol]) await circle.block(person, bob);
    await circle.follow(carol, next);
    await move();
    expect([circle.blockedIds(alice), circle.blockedIds(carol)]).toEqual([[next.id, bob.id], [bob.id]]);
    circle.expectSound();
  });
});

describe('a remote account', () => {
  test('moves once in a while, and not back and forth', async () => {
    const far = await circle.remote('far', 'far.test', 1);
    await circle.follow(alice, far);
    const moved = (to: Person) => circle.server.call(Account.moved.to(far.id, target(to)));
    await moved(next);
    circle.server.settle();
    expect([follows(far), follows(next)]).toEqual([false, true]);
    circle.server.clock.advance(dayMilliseconds);
    await moved(bob);
    expect(circle.profile(far)?.movedTo).toBe(next.id);
    circle.server.clock.advance(movingLimits.remoteRestMilliseconds);
    await moved(bob);
    expect(circle.profile(far)?.movedTo).toBe(bob.id);
  });
});
