import { beforeEach, describe, expect, test } from 'vitest';
import { usageOf } from '../../../src/actors/instance/instance.queries.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.remote('carol', 'remote.test', { partition: 1 });
});

/** What everybody is told of a person's statuses. */
function shown(person: Person): { statuses: number; lastStatusAt: number | undefined } {
  const { statuses, lastStatusAt } = people.accountCounters(person);
  return { statuses, lastStatusAt };
}

describe('the statuses that are counted beside an account', () => {
  test.each(['public', 'unlisted', 'private'] as const)('%s ones are, until they are deleted', async (visibility) => {
    const post = await people.publish(alice, { visibility });
    const at = people.server.clock.now();
    expect(shown(alice)).toEqual({ statuses: 1, lastStatusAt: at });
    await people.remove(post);
    expect(shown(alice)).toEqual({ statuses: 0, lastStatusAt: at });
  });

  test('direct ones are not: no number and no time changes, neither when one is written nor when it is deleted', async () => {
    await people.publish(alice);
    const before = shown(alice);
    const post = await people.publish(alice, { visibility: 'direct', mentions: [bob] });
    expect(shown(alice)).toEqual(before);
    await people.remove(post);
    expect(shown(alice)).toEqual(before);
  });

  test.each([
    ['public', 1],
    ['private', 1],
    ['direct', 1],
  ] as const)('%s ones count %i among those of the server', async (visibility, counted) => {
    const statuses = () => usageOf(people.server.read.partitions, 0).statuses;
    const post = await people.publish(alice, { visibility, mentions: [bob] });
    expect(statuses()).toBe(counted);
    await people.remove(post);
    expect(statuses()).toBe(0);
  });

  test('direct ones of other servers are not', async () => {
    const uri = 'https://remote.test/notes/1';
    const post = await people.receive(carol, uri, { visibility: 'direct', mentions: [bob] });
    expect(people.statusOf(post)).toBeDefined();
    expect(shown(carol)).toEqual({ statuses: 0, lastStatusAt: undefined });
  });

  test('reblogs are', async () => {
    const post = await people.publish(bob);
    await people.reblog(alice, post);
    expect(shown(alice)).toMatchObject({ statuses: 1 });
    await people.unreblog(alice, post);
    expect(shown(alice)).toMatchObject({ statuses: 0 });
  });
});
