/** The bounds on the dead letters of a partition, lowered. */
import { beforeEach, expect, test, vi } from 'vitest';
import { deadLetterRecords } from '../../src/runtime/storage/machine.ts';
import { act, hear, playerOf } from './support/players.ts';
import { Rig } from './support/rig.ts';

const lowered = vi.hoisted(() => ({ deadLettersMax: 3, deadLettersBytesMax: 150_000 }));

vi.mock('../../src/runtime/limits.ts', async (original) => {
  const limits = await original<typeof import('../../src/runtime/limits.ts')>();
  return { ...limits, partitionLimits: { ...limits.partitionLimits, ...lowered } };
});

const bob = playerOf(0, 1);
const carol = playerOf(0, 1, 1);

let rig: Rig;

const kept = () => [...rig.seat.disk.range(deadLetterRecords, [])].map(({ key }) => key[0]);

beforeEach(() => {
  rig = new Rig();
  rig.scripts.define('fall', () => {
    throw new Error('over it');
  });
  rig.scripts.define('push', (turn, size) => turn.tell(hear(bob, 'fall', 'x'.repeat(Number(size)))));
});

function fall(...sizes: number[]): void {
  for (const size of sizes) {
    rig.call(act(carol, 'push', size));
    rig.seat.settle();
  }
}

test('the newest are kept', () => {
  fall(1, 1, 1, 1, 1);
  expect(kept()).toEqual([3, 4, 5]);
});

test('the newest of so many bytes are kept, also of those that an earlier run left', () => {
  fall(50_000, 90_000);
  expect(kept()).toEqual([1, 2]);
  rig.seat.restart();
  rig.seat.settle();
  fall(20_000);
  expect(kept()).toEqual([2, 3]);
  expect(rig.seat.archived.map(({ sequence }) => sequence)).toEqual([1]);
  fall(145_000);
  expect(kept()).toEqual([4]);
  const [letter] = rig.seat.disk.range(deadLetterRecords, []);
  expect(rig.seat.partition.load).toMatchObject({ lettersKept: 1, lettersBytes: letter!.value.byteLength });
});

test('those that the operator drops make room', () => {
  fall(70_000, 70_000);
  rig.orderLetters(0, { what: 'drop', sequences: [1] });
  rig.seat.settle();
  fall(70_000);
  expect([kept(), rig.seat.archived]).toEqual([[2, 3], []]);
});
