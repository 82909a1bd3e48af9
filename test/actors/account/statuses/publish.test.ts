import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { publish as publishHandler } from '../../../../src/actors/account/statuses/publish.ts';
import type { StatusReference } from '../../../../src/actors/account/statuses/statuses.messages.ts';
import { idempotencyKeys } from '../../../../src/actors/account/statuses/statuses.state.ts';
import { delegatedReply } from '../../../../src/runtime/contract.ts';
import type { Id } from '../../../../src/runtime/ids.ts';
import { type PostOptions, publication } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { plainPost } from '../../../support/plain-post.ts';

const minute = 60_000;
const message = plainPost('hello', { idempotencyKey: 'a key' });

let people: People;
let alice: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
});

async function publish(): Promise<Id> {
  return (await people.server.call(Account.publish.to(alice.id, message))).statusId;
}

describe('the answer to a post is given', () => {
  const byPublish = async (options: PostOptions): Promise<boolean> => {
    let answer: unknown;
    const { statusId } = people.server.turn(Account.actor, alice.id, (turn): StatusReference => {
      answer = publishHandler(turn, publication(options));
      return answer as StatusReference;
    });
    expect(people.statusOf({ id: statusId, author: alice })?.text).toBe('hello');
    return answer !== delegatedReply;
  };

  test('by its author alone, in one commit, when it concerns nobody else here', async () => {
    const eve = people.remote('eve', 'remote.test');
    const own = await people.publish(alice);
    for (const options of [{}, { mentions: [alice] }, { mentions: [eve] }, { replyTo: own }])
      expect(await byPublish(options)).toBe(true);
  });

  test('by the author of its parent, or by the first local account that it mentions', async () => {
    const bob = people.local('bob');
    const carol = people.local('carol', { partition: 1 });
    const parent = await people.publish(bob);
    for (const options of [{ replyTo: parent }, { replyTo: parent, mentions: [bob, carol] }, { mentions: [carol] }])
      expect(await byPublish(options)).toBe(false);
    expect(people.notificationsOf(bob).map(({ type }) => type)).toEqual(['mention']);
    expect(people.notificationsOf(carol).map(({ type }) => type)).toEqual(['mention', 'mention']);
    expect(people.countersOf(parent).replies).toBe(2);
  });
});

describe('an idempotency key', () => {
  test('answers the same status for an hour, and is forgotten then', async () => {
    const first = await publish();
    people.server.clock.advance(59 * minute);
    expect(await publish()).toBe(first);
    people.server.clock.advance(minute);
    expect(people.entryCounts()[idempotencyKeys.name]).toBeUndefined();
    expect(await publish()).not.toBe(first);
  });

  test('of a reply answers the same status again, and the reply is counted once', async () => {
    const bob = people.local('bob');
    const parent = await people.publish(bob);
    const reply = { ...publication({ replyTo: parent, mentions: [bob] }), idempotencyKey: 'a key' };
    const first = await people.server.call(Account.publish.to(alice.id, reply));
    expect(await people.server.call(Account.publish.to(alice.id, reply))).toEqual({ ...first, isRepeated: true });
    expect(people.countersOf(parent).replies).toBe(1);
    expect(people.notificationsOf(bob)).toHaveLength(1);
  });

  test('that is used again because its status was deleted has an hour of its own', async () => {
    await people.remove({ id: await publish(), author: alice });
    people.server.clock.advance(59 * minute);
    const second = await publish();
    people.server.clock.advance(59 * minute);
    expect(await publish()).toBe(second);
    people.server.clock.advance(minute);
    expect(people.entryCounts()[idempotencyKeys.name]).toBeUndefined();
  });
});
