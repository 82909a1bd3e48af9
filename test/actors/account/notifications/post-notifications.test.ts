import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { notificationLimits } from '../../../../src/actors/account/notifications/limits.ts';
import { followersToNotify } from '../../../../src/actors/account/relationships/relationships.state.ts';
import type { PostOptions } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
  dave = people.remote('dave', 'remote.test');
});

const heardBy = (person: Person) => people.notificationsOf(person).filter(({ type }) => type === 'status');

describe('post notifications', () => {
  test('are made for a new status, for those who asked for them only', async () => {
    await people.follow(bob, alice, { notify: true });
    await people.follow(carol, alice);
    const post = await people.publish(alice);
    expect(heardBy(bob)).toEqual([{ type: 'status', fromId: alice.id, statusId: post.id }]);
    expect(people.notificationsOf(carol)).toEqual([]);
  });

  test('are made for a status of a remote account, if it is recent', async () => {
    await people.follow(bob, dave, { notify: true });
    const { postNotificationAgeMillisecondsMax } = notificationLimits;
    await people.receive(dave, 'https://remote.test/1', {
      ageMilliseconds: postNotificationAgeMillisecondsMax + 1_000,
    });
    expect(heardBy(bob)).toEqual([]);
    const post = await people.receive(dave, 'https://remote.test/2', { ageMilliseconds: 60_000 });
    expect(heardBy(bob)).toMatchObject([{ fromId: dave.id, statusId: post.id }]);
  });

  test.each<[string, PostOptions, number]>([
    ['public', {}, 1],
    ['unlisted', { visibility: 'unlisted' }, 1],
    ['private', { visibility: 'private' }, 1],
    ['direct', { visibility: 'direct' }, 0],
    ['written in a language that bob reads', { language: 'de' }, 1],
    ['written in another', { language: 'fr' }, 0],
  ])('for a status that is %s', async (_what, options, heard) => {
    await people.follow(bob, alice, { notify: true, languages: ['de'] });
    await people.publish(alice, options);
    expect(heardBy(bob)).toHaveLength(heard);
  });

  test('are made for a reply to oneself, not for replies to others or reblogs', async () => {
    await people.follow(bob, alice, { notify: true });
    const own = await people.publish(alice);
    const other = await people.publish(carol);
    const answer = await people.publish(alice, { replyTo: own });
    await people.publish(alice, { replyTo: other });
    await people.reblog(alice, other);
    expect(heardBy(bob).map(({ statusId }) => statusId)).toEqual([own.id, answer.id]);
  });

  test.each([
    ['mutes her with notifications', () => people.mute(bob, alice)],
    ['mutes her', () => people.mute(bob, alice, { notifications: false })],
    ['blocks her', () => people.block(bob, alice)],
    ['no longer follows her', () => people.unfollow(bob, alice)],
    ['asks for none any more', () => people.follow(bob, alice, { notify: false })],
  ])('are not made for somebody who %s', async (_what, prepare) => {
    await people.follow(bob, alice, { notify: true });
    await prepare();
    await people.publish(alice);
    expect(heardBy(bob)).toEqual([]);
  });

  test('asked for later are made from then on', async () => {
    await people.follow(bob, alice);
    await people.publish(alice);
    await people.follow(bob, alice, { notify: true });
    const post = await people.publish(alice);
    expect(heardBy(bob).map(({ statusId }) => statusId)).toEqual([post.id]);
  });

  test('asked for in a follow request are made once it is accepted', async () => {
    await people.server.call(Account.changeProfile.to(alice.id, { locked: true }));
    await people.follow(bob, alice, { notify: true });
    await people.publish(alice);
    expect(heardBy(bob)).toEqual([]);
    await people.server.call(Account.authorizeFollow.to(alice.id, { requesterId: bob.id }));
    const post = await people.publish(alice);
    expect(heardBy(bob).map(({ statusId }) => statusId)).toEqual([post.id]);
  });

  test('end with the follow', async () => {
    const before = people.entryCounts()[followersToNotify.name];
    await people.follow(bob, alice, { notify: true });
    await people.unfollow(bob, alice);
    expect(people.entryCounts()[followersToNotify.name]).toBe(before);
    people.expectSound();
    expect(people.server.problems).toEqual([]);
  });
});

test('many followers are notified, a slice at a time, each once', async () => {
  for (const person of [bob, carol]) await people.follow(person, alice, { notify: true });
  people.server.turn(Account.actor, alice.id, (turn) => {
    // Nobody has these ids; they come before those of the two who listen.
    for (let index = 1; index <= notificationLimits.postNotificationsPerTurn * 2; index += 1)
      turn.put(followersToNotify, [alice.id, bob.id - BigInt(index) * 0x1_0000n], true);
  });
  await people.publish(alice);
  expect([heardBy(bob).length, heardBy(carol).length]).toEqual([1, 1]);
  expect(people.server.problems).toEqual([]);
});
