/** Mutes (specification 2.6, 4.2): of notifications as well, for a time, and changed by another one. */
import { beforeEach, expect, test } from 'vitest';
import { hiddenAccountsChanged } from '../../../../src/actors/account/relationships/relationships.events.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

const hourMilliseconds = 60 * 60 * 1_000;
let people: People;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
});

const muteOf = () => people.relationship(alice, bob).mute;
const listed = () => people.mutedIds(alice);

test('a mute without a duration stays, and leaves follows alone', async () => {
  await people.follow(alice, bob);
  await people.mute(alice, bob);
  people.server.clock.advance(1_000 * hourMilliseconds);
  expect(muteOf()).toMatchObject({ hideNotifications: true, expiresAt: undefined });
  expect(listed()).toEqual([bob.id]);
  expect(people.relationship(alice, bob).follow).toBeDefined();
  expect(people.server.events(hiddenAccountsChanged)).toEqual([{ accountId: alice.id, targetId: bob.id }]);
});

test('a mute with a duration ends by itself', async () => {
  await people.mute(alice, bob, { seconds: 3_600 });
  expect(muteOf()).toMatchObject({ expiresAt: people.server.clock.now() + hourMilliseconds });
  people.server.clock.advance(hourMilliseconds - 1);
  expect(muteOf()).toBeDefined();
  people.server.clock.advance(1);
  expect(muteOf()).toBeUndefined();
  expect(listed()).toEqual([]);
  expect(people.server.events(hiddenAccountsChanged)).toHaveLength(2);
});

test.each([
  ['prolonged', { seconds: 7_200 }],
  ['made endless', { seconds: 0 }],
])('a mute that was %s outlives its first timer', async (_case, options) => {
  await people.mute(alice, bob, { seconds: 3_600 });
  await people.mute(alice, bob, options);
  people.server.clock.advance(hourMilliseconds);
  expect(muteOf()).toBeDefined();
  expect(listed()).toEqual([bob.id]);
});

test('a mute made anew is not ended by the timer of the old one', async () => {
  await people.mute(alice, bob, { seconds: 3_600 });
  await people.unmute(alice, bob);
  expect(muteOf()).toBeUndefined();
  people.server.clock.advance(1_000);
  await people.mute(alice, bob, { seconds: 3_600, notifications: false });
  people.server.clock.advance(hourMilliseconds - 1_000);
  expect(muteOf()).toMatchObject({ hideNotifications: false });
});

test('muting again changes notifications', async () => {
  await people.mute(alice, bob);
  const { id } = muteOf()!;
  await people.mute(alice, bob, { notifications: false });
  expect(muteOf()).toMatchObject({ id, hideNotifications: false });
  expect(listed()).toEqual([bob.id]);
});

test('muting oneself is forbidden, unmuting nobody is harmless', async () => {
  await expect(people.mute(alice, alice)).rejects.toMatchObject({ code: 'forbidden' });
  await people.unmute(alice, bob);
  expect(people.server.events(hiddenAccountsChanged)).toEqual([]);
  expect(people.server.problems).toEqual([]);
});
