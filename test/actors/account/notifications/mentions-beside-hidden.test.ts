import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { conversationsOf } from '../../../../src/actors/account/conversations/conversations.queries.ts';
import { edit } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let mallory: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  mallory = people.local('mallory');
});

const heardBy = (person: Person) => people.notificationsOf(person).map(({ type }) => type);
const silence = (notifications: boolean) => people.mute(alice, mallory, { notifications });

describe('a mention beside somebody whom the mentioned account', () => {
  test.each<[string, () => unknown, string[]]>([
    ['does not hide', () => undefined, ['mention']],
    ['blocks', () => people.block(alice, mallory), []],
    ['mutes with notifications', () => silence(true), []],
    ['mutes without', () => silence(false), ['mention']],
    ['is blocked by', () => people.block(mallory, alice), ['mention']],
  ])('%s', async (_what, prepare, heard) => {
    await prepare();
    await people.publish(bob, { mentions: [alice, mallory] });
    expect(heardBy(alice)).toEqual(heard);
  });
});

test('a mention in a reply to somebody who is blocked notifies nobody who blocks them', async () => {
  const post = await people.publish(mallory);
  await people.block(alice, mallory);
  await people.publish(bob, { mentions: [alice], replyTo: post });
  expect(heardBy(alice)).toEqual([]);
});

test('neither does a mention that comes with an edit', async () => {
  await people.block(alice, mallory);
  const post = await people.publish(bob, { mentions: [mallory] });
  await people.server.call(edit(post, { mentions: [alice, mallory] }));
  expect(heardBy(alice)).toEqual([]);
});

test('nor one by a remote account', async () => {
  const dave = people.remote('dave', 'remote.test');
  const erin = people.remote('erin', 'remote.test');
  await people.block(alice, erin);
  await people.receive(dave, 'https://remote.test/1', { mentions: [alice, erin] });
  expect(heardBy(alice)).toEqual([]);
});

test('a private mention beside somebody who is blocked begins no conversation', async () => {
  await people.block(alice, mallory);
  await people.publish(bob, { mentions: [alice, mallory], visibility: 'direct' });
  const conversations = (person: Person) => [...conversationsOf(people.server.read, person.id, { limit: 10 })];
  expect(conversations(alice)).toEqual([]);
  expect(conversations(mallory)).toHaveLength(1);
});

describe('staff, who are to be heard,', () => {
  beforeEach(() => people.server.call(Account.changeLogin.to(bob.id, { role: 'moderator' })));

  test('reach an account beside one that it blocks', async () => {
    await people.block(alice, mallory);
    await people.publish(bob, { mentions: [alice, mallory] });
    expect(heardBy(alice)).toEqual(['mention']);
  });

  test.each<[string, () => unknown]>([
    ['blocks', () => people.block(alice, bob)],
    ['mutes', () => people.mute(alice, bob)],
  ])('do not reach one that %s them', async (_what, prepare) => {
    await prepare();
    await people.publish(bob, { mentions: [alice, mallory] });
    expect(heardBy(alice)).toEqual([]);
  });
});

describe('the notification of a new status that mentions an account which the follower', () => {
  test.each<[string, () => unknown, string[]]>([
    ['does not hide', () => undefined, ['status']],
    ['blocks', () => people.block(alice, mallory), []],
    ['mutes, so that homes omit it,', () => silence(false), []],
  ])('%s', async (_what, prepare, heard) => {
    await people.follow(alice, bob, { notify: true });
    await prepare();
    await people.publish(bob, { mentions: [mallory] });
    expect(heardBy(alice)).toEqual(heard);
  });
});
