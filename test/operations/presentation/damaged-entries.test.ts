/** Damaged statuses and profiles are left out of lists, damaged counters out of what is shown of a status. */
import { expect, test } from 'vitest';
import { pollTallies } from '../../../src/actors/account/polls/polls.state.ts';
import { accountCounters, profiles } from '../../../src/actors/account/profile/profile.state.ts';
import { statusCounters, statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
import type { Keyspace } from '../../../src/runtime/storage/keyspace.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

test.each(['statuses', 'profiles'] as const)('of %s', async (damaged) => {
  const people = new People();
  const [alice, bob] = [people.local('alice'), people.local('bob')];
  const posts = [await people.publish(alice), await people.publish(bob), await people.publish(alice)];
  const { presenter } = presenting(people.server);
  const shown = () =>
    presenter.page(
      BigUint64Array.from(posts, ({ id }) => id),
      alice.id,
      'public',
    );
  damage(people, damaged === 'statuses' ? statuses : profiles, damaged === 'statuses' ? posts[1]!.id : bob.id);
  expect(shown().map(({ status }) => status.id)).toEqual([posts[0]!.id, posts[2]!.id]);
  expect(people.server.problems.map(({ error }) => (error as Error).message)).toEqual([
    expect.stringContaining(`of ${damaged} cannot be decoded`),
  ]);
});

test.each<[string, Pick<Keyspace<[bigint], unknown>, 'encode'>, 'status' | 'author']>([
  ['counters of a status', statusCounters, 'status'],
  ['counters of an account', accountCounters, 'author'],
  ['a tally of a poll', pollTallies, 'status'],
])('%s: the status is shown without', async (_what, space, of) => {
  const people = new People();
  const alice = people.local('alice');
  const poll = { options: ['one', 'two'], expiresInSeconds: 3_600, multiple: false, hideTotals: false };
  const posts = [await people.publish(alice), await people.publish(alice, { poll })];
  await people.publish(alice, { replyTo: posts[1]! });
  const { presenter } = presenting(people.server);
  damage(people, space, of === 'status' ? posts[1]!.id : alice.id);
  const page = presenter.page(
    BigUint64Array.from(posts, ({ id }) => id),
    alice.id,
    'public',
  );
  expect(page.map(({ status }) => status.id)).toEqual(posts.map(({ id }) => id));
  expect(people.server.problems).toHaveLength(1);
});

function damage(people: People, space: Pick<Keyspace<[bigint], unknown>, 'encode'>, id: bigint): void {
  const key = space.encode([id]);
  const [disk] = people.server.disks.filter((candidate) => candidate.get(key) !== undefined);
  (disk as MemoryStore).apply({ keys: [key], values: [Uint8Array.of(0xdf, 0xff, 0xff)] });
}
