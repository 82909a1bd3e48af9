import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { notificationLimits } from '../../../../src/actors/account/notifications/limits.ts';
import { followersToNotify } from '../../../../src/actors/account/notifications/notifications.state.ts';
import { Circle, type PostOptions } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
  carol = await circle.local('carol', 0);
  dave = await circle.remote('dave', 'remote.test', 1);
});

const heardBy = (person: Person) => circle.notificationsOf(person).filter(({ type }) => type === 'status');

describe('post notifications', () => {
  test('rings for a new status, for those who asked and for nobody else', async () => {
    await circle.follow(bob, alice, { notify: true });
    await circle.follow(carol, alice);
    const post = await circle.publish(alice);
    expect(heardBy(bob)).toEqual([{ type: 'status', fromId: alice.id, statusId: post.id }]);
    expect(circle.notificationsOf(carol)).toEqual([]);
  });

  test('rings for a status of a remote account, if it is new', async () => {
    await circle.follow(bob, dave, { notify: true });
    const { postNotificationAgeMillisecondsMax } = notificationLimits;
    await circle.receive(dave, 'https://remote.test/1', {
      ageMilliseconds: postNotificationAgeMillisecondsMax + 1_000,
    });
    expect(heardBy(bob)).toEqual([]);
    const post = await circle.receive(dave, 'https://remote.test/2', { ageMilliseconds: 60_000 });
    expect(heardBy(bob)).toMatchObject([{ fromId: dave.id, statusId: post.id }]);
  });

  test.each<[string, PostOptions, number]>([
    ['public', {}, 1],
    ['unlisted', { visibility: 'unlisted' }, 1],
    ['private', { visibility: 'private' }, 1],
    ['direct', { visibility: 'direct' }, 0],
    ['written in a language that bob reads', { language: 'de' }, 1],
    ['written in another', { language: 'fr' }, 0],
  ])('of bob, for a status that is %s, rings %#', async (_what, options, heard) => {
    await circle.follow(bob, alice, { notify: true, languages: ['de'] });
    await circle.publish(alice, options);
    expect(heardBy(bob)).toHaveLength(heard);
  });

  test('rings for an answer to oneself, not for one to others, and not for a reblog', async () => {
    await circle.follow(bob, alice, { notify: true });
    const own = await circle.publish(alice);
    const other = await circle.publish(carol);
    const answer = await circle.publish(alice, { replyTo: own });
    await circle.publish(alice, { replyTo: other });
    await circle.reblog(alice, other);
    expect(heardBy(bob).map(({ statusId }) => statusId)).toEqual([own.id, answer.id]);
  });

  test.each([
    ['mutes her with notifications', () => circle.mute(bob, alice, true)],
    ['mutes her', () => circle.mute(bob, alice, false)],
    ['blocks her', () => circle.block(bob, alice)],
    ['no longer follows her', () => circle.unfollow(bob, alice)],
    ['asks for none any more', () => circle.follow(bob, alice, { notify: false })],
  ])('is not heard by somebody who %s', async (_what, prepare) => {
    await circle.follow(bob, alice, { notify: true });
    await prepare();
    await circle.publish(alice);
    expect(heardBy(bob)).toEqual([]);
  });

  test('that is asked for later rings from then on', async () => {
    await circle.follow(bob, alice);
    await circle.publish(alice);
    await circle.follow(bob, alice, { notify: true });
    const post = await circle.publish(alice);
    expect(heardBy(bob).map(({ statusId }) => statusId)).toEqual([post.id]);
  });

  test('of a request rings once it is accepted', async () => {
    await circle.server.call(Account.changeProfile.to(alice.id, { locked: true }));
    await circle.follow(bob, alice, { notify: true });
    await circle.publish(alice);
    expect(heardBy(bob)).toEqual([]);
    await circle.server.call(Account.authorizeFollow.to(alice.id, { requesterId: bob.id }));
    const post = await circle.publish(alice);
    expect(heardBy(bob).map(({ statusId }) => statusId)).toEqual([post.id]);
  });

  test('goes with the follow', async () => {
    const before = circle.entryCounts()[followersToNotify.name];
    await circle.follow(bob, alice, { notify: true });
    await circle.unfollow(bob, alice);
    expect(circle.entryCounts()[followersToNotify.name]).toBe(before);
    circle.expectSound();
    expect(circle.server.problems).toEqual([]);
  });
});

test('many followers are notified, a slice at a time, each once', async () => {
  for (const person of [bob, carol]) await circle.follow(person, alice, { notify: true });
  circle.server.turn(Account.actor, alice.id, (turn) => {
    // Nobody has these ids; they come before those of the two who listen.
    for (let index = 1; index <= notificationLimits.postNotificationsPerTurn * 2; index += 1)
      turn.put(followersToNotify, [alice.id, bob.id - BigInt(index) * 0x1_0000n], true);
  });
  await circle.publish(alice);
  expect([heardBy(bob).length, heardBy(carol).length]).toEqual([1, 1]);
  expect(circle.server.problems).toEqual([]);
});
