import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { idempotencyKeys } from '../../../../src/actors/account/statuses/statuses.state.ts';
import type { Id } from '../../../../src/runtime/ids.ts';
import { plainPost } from '../../../support/plain-post.ts';
import { Circle, type Person } from '../circle.ts';

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

describe('an idempotency key', () => {
  test('answers the same status for an hour, and is forgotten then', async () => {
    const first = await publish();
    circle.server.clock.advance(59 * minute);
    expect(await publish()).toBe(first);
    circle.server.clock.advance(minute);
    expect([...circle.server.read.range(idempotencyKeys, [alice.id])]).toEqual([]);
    expect(await publish()).not.toBe(first);
  });

  test('that is used again because its status was deleted has an hour of its own', async () => {
    await circle.remove({ id: await publish(), author: alice });
    circle.server.clock.advance(59 * minute);
    const second = await publish();
    circle.server.clock.advance(59 * minute);
    expect(await publish()).toBe(second);
    circle.server.clock.advance(minute);
    expect([...circle.server.read.range(idempotencyKeys, [alice.id])]).toEqual([]);
  });
});
