/** Moving to another account: which followers come along, and what they keep. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { listsWithMember } from '../../../../src/actors/account/lists/lists.queries.ts';
import { movingLimits } from '../../../../src/actors/account/moving/limits.ts';
import { mutes } from '../../../../src/actors/account/relationships/relationships.state.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;

let people: People;
let alice: Person;
let bob: Person;
/** Where bob goes. */
let next: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  next = people.remote('bob', 'there.test');
});

const target = (to: Person) => ({ targetId: to.id, targetDestination: to.destination });
const move = (from = bob, to = next) => people.server.call(Account.move.to(from.id, target(to)));
const lock = (person: Person, locked: boolean) => people.server.call(Account.changeProfile.to(person.id, { locked }));
const followOf = (other: Person) => people.relationship(alice, other).follow;
const follows = (other: Person) => followOf(other)?.state === 'accepted';

describe('a local account that moves', () => {
  test('is followed there by its local followers, in the same way, and tells the others', async () => {
    const carol = people.local('carol');
    const far = people.remote('far', 'far.test', { partition: 1 });
    await people.follow(alice, bob, { notify: true, languages: ['de'] });
    await people.follow(carol, bob);
    await people.follow(far, bob);
    people.takeDeliveries();
    await move();
    expect([follows(bob), follows(next)]).toEqual([false, true]);
    expect(followOf(next)).toMatchObject({ notify: true, languages: ['de'] });
    expect(people.followerIds(bob)).toEqual([far.id]);
    expect([...people.followerIds(next)].sort()).toEqual([alice.id, carol.id].sort());
    expect(people.profile(bob)).toMatchObject({ movedTo: next.id });
    const said = people.takeDeliveries().map(({ intent, toFollowers }) => [intent.kind, toFollowers]);
    expect(said.filter(([, toFollowers]) => toFollowers)).toEqual([
      ['updateAccount', true],
      ['move', true],
    ]);
    expect(said.filter(([kind]) => kind === 'follow')).toHaveLength(2);
    people.expectSound();
  });

  test('has its followers in slices, however many they are', async () => {
    const many = movingLimits.toldPerTurn + 2;
    for (let number = 0; number < many; number += 1)
      await people.follow(people.local(`person_${number}`, { partition: number % 2 === 0 ? 0 : 1 }), bob);
    await move();
    expect(people.accountCounters(bob).followers).toBe(0);
    expect(people.accountCounters(next).followers).toBe(many);
    expect(people.server.problems).toEqual([]);
  });

  test('stays where it went for 30 days, and may come back', async () => {
    await people.follow(alice, bob);
    await move();
    await expect(move(bob, alice)).rejects.toMatchObject({ code: 'validation' });
    await people.server.call(Account.cancelMove.to(bob.id, {}));
    expect(people.profile(bob)?.movedTo).toBeUndefined();
    await expect(move()).rejects.toMatchObject({ code: 'validation' });
    people.server.clock.advance(movingLimits.localRestMilliseconds + 1);
    await move();
    expect(people.profile(bob)?.movedTo).toBe(next.id);
  });

  test('does not move to itself, and is no former account of itself', async () => {
    await expect(move(bob, bob)).rejects.toMatchObject({ code: 'forbidden' });
    const named = people.server.call(Account.changeAliases.to(bob.id, { aliasIds: [alice.id, bob.id] }));
    await expect(named).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('is followed by nobody new', async () => {
    await move();
    await expect(people.follow(alice, bob)).resolves.toEqual({ state: 'refused' });
    expect(follows(bob)).toBe(false);
  });
});

describe('a follower', () => {
  test('keeps following the former account until the new one, which is locked, accepts', async () => {
    const there = people.local('there', { partition: 0 });
    await lock(there, true);
    await people.follow(alice, bob);
    await move(bob, there);
    expect([follows(bob), follows(there), followOf(there)?.state]).toEqual([true, false, 'requested']);
    const { listId } = await people.server.call(
      Account.createList.to(alice.id, { title: 'Friends', repliesPolicy: 'list', exclusive: false }),
    );
    await people.server.call(Account.addToList.to(alice.id, { listId, memberIds: [bob.id] }));
    await people.server.call(Account.authorizeFollow.to(there.id, { requesterId: alice.id }));
    people.server.settle();
    expect([follows(bob), follows(there)]).toEqual([false, true]);
    const lists = (member: Person) => listsWithMember(people.server.read, alice.id, member.id).map(({ id }) => id);
    expect([lists(bob), lists(there)]).toEqual([[], [listId]]);
    people.expectSound();
  });

  test('keeps a mute, its end, and the note', async () => {
    await people.follow(alice, bob);
    await people.server.call(
      Account.mute.to(alice.id, { targetId: bob.id, hideNotifications: false, durationSeconds: 3_600 }),
    );
    await people.server.call(Account.setNote.to(alice.id, { targetId: bob.id, comment: 'of the market' }));
    people.server.clock.advance(600_000);
    await move();
    expect(people.relationship(alice, next)).toMatchObject({
      mute: { hideNotifications: false },
      note: 'Moved here from @bob. Your note on that account:\nof the market',
    });
    people.server.clock.advance(3_000_000 + 1);
    expect(people.mutedIds(alice)).toEqual([]);
  });

  test('who follows both keeps the new follow as it is, and does not mute whom it follows on purpose', async () => {
    await people.follow(alice, bob, { notify: true });
    await people.follow(alice, next);
    await people.mute(alice, bob);
    await move();
    expect([follows(bob), follows(next), followOf(next)?.notify]).toEqual([false, true, false]);
    expect(people.mutedIds(alice)).toEqual([bob.id]);
  });

  test('who is the target of the move does not follow itself', async () => {
    await people.follow(alice, bob);
    await move(bob, alice);
    expect([people.followedIds(alice), people.followerIds(bob)]).toEqual([[], []]);
  });

  test('who blocks the new account, or hides its domain, stays', async () => {
    const carol = people.local('carol');
    for (const person of [alice, carol]) await people.follow(person, bob);
    await people.block(alice, next);
    await people.server.call(Account.blockDomain.to(carol.id, { domain: 'there.test', followed: [] }));
    await move();
    expect(people.followerIds(next)).toEqual([]);
    expect([...people.followerIds(bob)].sort()).toEqual([alice.id, carol.id].sort());
    expect(people.server.problems).toEqual([]);
  });
});

describe('whoever does not follow', () => {
  const mute = (by: Person, target: Person, more: object = {}) =>
    people.server.call(
      Account.mute.to(by.id, { targetId: target.id, hideNotifications: true, durationSeconds: 0, ...more }),
    );
  const noteOf = (other: Person) => people.relationship(alice, other).note;
  const setNote = (other: Person, comment: string) =>
    people.server.call(Account.setNote.to(alice.id, { targetId: other.id, comment }));

  test('takes a mute along, but not to somebody who is followed or muted', async () => {
    const [carol, dave] = [people.local('carol'), people.local('dave')];
    for (const person of [alice, carol, dave]) await mute(person, bob);
    await people.follow(carol, next);
    await mute(dave, next, { hideNotifications: false });
    await move();
    const muted = [alice, carol, dave].map((one) => people.relationship(one, next).mute?.hideNotifications);
    expect(muted).toEqual([true, undefined, false]);
    expect(noteOf(next)).toBe('Moved here from @bob, whom you muted.');
    people.expectSound();
  });

  test.each([0, 500])('takes no mute along that ended %i milliseconds ago', async (ago) => {
    await mute(alice, bob, { durationSeconds: 60 });
    people.server.turn(Account.actor, alice.id, (turn) => {
      const kept = turn.get(mutes, [alice.id, bob.id])!;
      turn.put(mutes, [alice.id, bob.id], { ...kept, expiresAt: turn.now - ago });
    });
    await move();
    expect(people.relationship(alice, next).mute).toBeUndefined();
  });

  test.each([
    [
      'in front of another one',
      'of the fair',
      'Moved here from @bob. Your note on that account:\nof the market\nof the fair',
    ],
    ['without more words where there is no room', 'x'.repeat(1_980), `of the market\n${'x'.repeat(1_980)}`],
    ['not where there is none at all', 'x'.repeat(2_000), 'x'.repeat(2_000)],
  ])('takes a note along, %s', async (_how, present, note) => {
    await setNote(bob, 'of the market');
    await setNote(next, present);
    await move();
    expect(noteOf(next)).toBe(note);
    people.expectSound();
  });

  test('takes nothing along that was removed before', async () => {
    await mute(alice, bob);
    await setNote(bob, 'of the market');
    await setNote(bob, '');
    await people.server.call(Account.unmute.to(alice.id, { targetId: bob.id }));
    await move();
    expect([people.relationship(alice, next).mute, noteOf(next)]).toEqual([undefined, '']);
    people.expectSound();
  });

  test('is reached in slices, however many there are', async () => {
    const crowd: Person[] = [];
    for (let number = 0; number < movingLimits.toldPerTurn + 2; number += 1)
      crowd.push(people.local(`person_${number}`));
    for (const person of crowd) await mute(person, bob);
    await move();
    expect(crowd.every((person) => people.relationship(person, next).mute !== undefined)).toBe(true);
  });
});

describe('a block', () => {
  test('follows the account, but not to somebody who is followed', async () => {
    const carol = people.local('carol');
    for (const person of [alice, carol]) await people.block(person, bob);
    await people.follow(carol, next);
    await move();
    expect([people.blockedIds(alice), people.blockedIds(carol)]).toEqual([[next.id, bob.id], [bob.id]]);
    expect(people.relationship(alice, next).note).toBe('Moved here from @bob, whom you blocked.');
    people.expectSound();
  });
});

describe('a remote account', () => {
  test('moves once in a while, and not back and forth', async () => {
    const far = people.remote('far', 'far.test');
    await people.follow(alice, far);
    const moved = (to: Person) => people.server.call(Account.moved.to(far.id, target(to)));
    await moved(next);
    people.server.settle();
    expect([follows(far), follows(next)]).toEqual([false, true]);
    people.server.clock.advance(dayMilliseconds);
    await moved(bob);
    expect(people.profile(far)?.movedTo).toBe(next.id);
    people.server.clock.advance(movingLimits.remoteRestMilliseconds);
    await moved(bob);
    expect(people.profile(far)?.movedTo).toBe(bob.id);
  });
});
