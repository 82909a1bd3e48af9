/** Damaged statuses and profiles: left out of lists, which show everything else. */
import { expect, test } from 'vitest';
import { profiles } from '../../../src/actors/account/profile/profile.state.ts';
import { statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
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

function damage(people: People, space: Pick<Keyspace<[bigint], unknown>, 'encode'>, id: bigint): void {
  const key = space.encode([id]);
  const [disk] = people.server.disks.filter((candidate) => candidate.get(key) !== undefined);
  (disk as MemoryStore).apply({ keys: [key], values: [Uint8Array.of(0xdf, 0xff, 0xff)] });
}
