import { beforeEach, describe, expect, test } from 'vitest';
import { usageOf } from '../../../src/actors/instance/instance.queries.ts';
import { Circle } from '../../support/circle.ts';
import type { Person } from '../../support/observer.ts';

let circle: Circle;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
  carol = await circle.remote('carol', 'remote.test', 1);
});

/** What everybody is told of a person's statuses. */
function shown(person: Person): { statuses: number; lastStatusAt: number | undefined } {
  const { statuses, lastStatusAt } = circle.accountCounters(person);
  return { statuses, lastStatusAt };
}

describe('the statuses that are counted beside an account', () => {
  test.each(['public', 'unlisted', 'private'] as const)('%s ones are, until they are deleted', async (visibility) => {
    const post = await circle.publish(alice, { visibility });
    const at = circle.server.clock.now();
    expect(shown(alice)).toEqual({ statuses: 1, lastStatusAt: at });
    await circle.remove(post);
    expect(shown(alice)).toEqual({ statuses: 0, lastStatusAt: at });
  });

  test('direct ones are not: neither that there are any shows, nor when, nor that one is deleted', async () => {
    await circle.publish(alice);
    const before = shown(alice);
    const post = await circle.publish(alice, { visibility: 'direct', mentions: [bob] });
    expect(shown(alice)).toEqual(before);
    await circle.remove(post);
    expect(shown(alice)).toEqual(before);
  });

  test.each([
    ['public', 1],
    ['private', 1],
    ['direct', 0],
  ] as const)('%s ones count %i among those of the server', async (visibility, counted) => {
    const statuses = () => usageOf(circle.server.read.partitions, 0).statuses;
    const post = await circle.publish(alice, { visibility, mentions: [bob] });
    expect(statuses()).toBe(counted);
    await circle.remove(post);
    expect(statuses()).toBe(0);
  });

  test('direct ones of other servers are not', async () => {
    const uri = 'https://remote.test/notes/1';
    const post = await circle.receive(carol, uri, { visibility: 'direct', mentions: [bob] });
    expect(circle.statusOf(post)).toBeDefined();
    expect(shown(carol)).toEqual({ statuses: 0, lastStatusAt: undefined });
  });

  test('reblogs are', async () => {
    const post = await circle.publish(bob);
    await circle.reblog(alice, post);
    expect(shown(alice)).toMatchObject({ statuses: 1 });
    await circle.unreblog(alice, post);
    expect(shown(alice)).toMatchObject({ statuses: 0 });
  });
});
