import { afterEach, expect, test, vi } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import {
  favouriteOfStatusBy,
  favouritesOfStatus,
} from '../../../../src/actors/account/interactions/interactions.state.ts';
import type { RangeOptions } from '../../../../src/runtime/storage/log.ts';
import { Circle } from '../../../support/circle.ts';
import { MemorySnapshot } from '../../../support/memory-log.ts';

afterEach(() => vi.restoreAllMocks());

test('what others left on a deleted status is swept in one pass, however popular it was', async () => {
  const favouriters = 2_000;
  const circle = new Circle();
  const alice = await circle.local('alice', 0);
  const bob = await circle.local('bob', 1);
  const post = await circle.publish(alice);
  const reblog = await circle.reblog(bob, post);
  circle.server.turn(Account.actor, alice.id, (turn) => {
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
  await circle.remove(post);
  expect(passed).toBeLessThan(2 * favouriters * 1.5);
  for (const { name } of [favouritesOfStatus, favouriteOfStatusBy]) expect(circle.entryCounts()[name]).toBeUndefined();
  expect(circle.statusOf(reblog)).toBeUndefined();
  expect(circle.server.problems).toEqual([]);
});
