import { afterEach, expect, test, vi } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import {
  favouriteOfStatusBy,
  favouritesOfStatus,
} from '../../../../src/actors/account/interactions/interactions.state.ts';
import type { RangeOptions } from '../../../../src/runtime/storage/log.ts';
import { MemorySnapshot } from '../../../support/memory-log.ts';
import { People } from '../../../support/people.ts';

afterEach(() => vi.restoreAllMocks());

test('what others left on a deleted status is swept in one pass, however popular it was', async () => {
  const favouriters = 2_000;
  const people = new People();
  const alice = people.local('alice');
  const bob = people.local('bob');
  const post = await people.publish(alice);
  const reblog = await people.reblog(bob, post);
  people.server.turn(Account.actor, alice.id, (turn) => {
    for (let number = 1; number <= favouriters; number += 1) {
      const [id, by] = [turn.nextId(), BigInt(number)];
      turn.put(favouritesOfStatus, [post.id, id], { id: by });
      turn.put(favouriteOfStatusBy, [post.id, by], { id });
    }
  });
  const { range } = MemorySnapshot.prototype;
  let passed = 0;
  vi.spyOn(MemorySnapshot.prototype, 'range').mockImplementation(function* (
    this: MemorySnapshot,
    options: RangeOptions,
  ) {
    for (const entry of range.call(this, options)) {
      passed += 1;
      yield entry;
    }
  });
  await people.remove(post);
  expect(passed).toBeLessThan(2 * favouriters * 1.5);
  for (const { name } of [favouritesOfStatus, favouriteOfStatusBy]) expect(people.entryCounts()[name]).toBeUndefined();
  expect(people.statusOf(reblog)).toBeUndefined();
  expect(people.server.problems).toEqual([]);
});
