import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { publish as publishHandler } from '../../../../src/actors/account/statuses/publish.ts';
import type { StatusReference } from '../../../../src/actors/account/statuses/statuses.messages.ts';
import { idempotencyKeys } from '../../../../src/actors/account/statuses/statuses.state.ts';
import { delegatedReply } from '../../../../src/runtime/contract.ts';
import type { Id } from '../../../../src/runtime/ids.ts';
import { Circle, type PostOptions, publication } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';
import { plainPost } from '../../../support/plain-post.ts';

const minute = 60_000;
const message = plainPost('hello', { idempotencyKey: 'a key' });

let circle: Circle;
let alice: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
});

async function publish(): Promise<Id> {
  return (await circle.server.call(Account.publish.to(alice.id, message))).statusId;
}

describe('the answer to a post is given', () => {
  const byPublish = async (options: PostOptions): Promise<boolean> => {
    let answer: unknown;
    const { statusId } = circle.server.turn(Account.actor, alice.id, (turn): StatusReference => {
      answer = publishHandler(turn, publication(options));
      return answer as StatusReference;
    });
    expect(circle.statusOf({ id: statusId, author: alice })?.text).toBe('hello');
    return answer !== delegatedReply;
  };

  test('by its author alone, in one commit, when it concerns nobody else here', async () => {
    const eve = await circle.remote('eve', 'remote.test', 1);
    const own = await circle.publish(alice);
    for (const options of [{}, { mentions: [alice] }, { mentions: [eve] }, { replyTo: own }])
      expect(await byPublish(options)).toBe(true);
  });

  test('by the author of its parent, or by the first local account that it mentions', async () => {
    const bob = await circle.local('bob', 1);
    const carol = await circle.local('carol', 1);
    const parent = await circle.publish(bob);
    for (const options of [{ replyTo: parent }, { replyTo: parent, mentions: [bob, carol] }, { mentions: [carol] }])
      expect(await byPublish(options)).toBe(false);
    expect(circle.notificationsOf(bob).map(({ type }) => type)).toEqual(['mention']);
    expect(circle.notificationsOf(carol).map(({ type }) => type)).toEqual(['mention', 'mention']);
    expect(circle.countersOf(parent).replies).toBe(2);
  });
});

describe('an idempotency key', () => {
  test('answers the same status for an hour, and is forgotten then', async () => {
    const first = await publish();
    circle.server.clock.advance(59 * minute);
    expect(await publish()).toBe(first);
    circle.server.clock.advance(minute);
    expect(circle.entryCounts()[idempotencyKeys.name]).toBeUndefined();
    expect(await publish()).not.toBe(first);
  });

  test('of a reply answers the same status again, and the reply is counted once', async () => {
    const bob = await circle.local('bob', 1);
    const parent = await circle.publish(bob);
    const reply = { ...publication({ replyTo: parent, mentions: [bob] }), idempotencyKey: 'a key' };
    const first = await circle.server.call(Account.publish.to(alice.id, reply));
    expect(await circle.server.call(Account.publish.to(alice.id, reply))).toEqual({ ...first, isRepeated: true });
    expect(circle.countersOf(parent).replies).toBe(1);
    expect(circle.notificationsOf(bob)).toHaveLength(1);
  });

  test('that is used again because its status was deleted has an hour of its own', async () => {
    await circle.remove({ id: await publish(), author: alice });
    circle.server.clock.advance(59 * minute);
    const second = await publish();
    circle.server.clock.advance(59 * minute);
    expect(await publish()).toBe(second);
    circle.server.clock.advance(minute);
    expect(circle.entryCounts()[idempotencyKeys.name]).toBeUndefined();
  });
});
