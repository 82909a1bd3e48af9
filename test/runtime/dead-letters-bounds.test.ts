/** The bounds on the dead letters of a partition, lowered. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deadLetterRecords } from '../../src/runtime/storage/machine.ts';
import { act, hear, playerOf } from './support/players.ts';
import { Rig, startOfRun } from './support/rig.ts';

const lowered = vi.hoisted(() => ({
  deadLettersMax: 3,
  deadLettersBytesMax: 150_000,
  batchBytesMax: 60_000,
  letterOrdersMax: 2,
}));

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

test('an order ends where the batch is full, and its answer says how far it came', () => {
  fall(70_000, 70_000);
  const order = rig.orderLetters(0, { what: 'retry', sequences: [1, 2] });
  rig.seat.settle();
  expect(rig.valueOf(order)).toEqual({ handled: 1, taken: 1, failed: 1, records: 0 });
  const rest = rig.orderLetters(0, { what: 'drop', sequences: [2, 3] });
  rig.seat.settle();
  expect([rig.valueOf(rest), kept()]).toEqual([{ handled: 2, taken: 2, failed: 0, records: 0 }, []]);
});

describe('while the batch waits for room', () => {
  const drop = (deadline?: number) => rig.orderLetters(0, { what: 'drop', sequences: [1] }, deadline);

  beforeEach(() => {
    fall(1);
    for (let count = 0; count < 2; count += 1) {
      rig.call(act(carol, 'push', lowered.batchBytesMax));
      rig.seat.run();
    }
  });

  test('an order waits as well, and runs afterwards', () => {
    const order = drop();
    rig.seat.run();
    expect(rig.repliesTo(order)).toEqual([]);
    rig.seat.settle();
    expect(rig.valueOf(order)).toMatchObject({ taken: 1 });
  });

  test('an order is refused at its deadline, and never runs', () => {
    const [early, late] = [drop(startOfRun + 1_000), drop(startOfRun + 60_000)];
    rig.seat.run();
    rig.pass(1_000);
    rig.seat.run();
    expect([rig.refusalOf(early), rig.repliesTo(late)]).toEqual(['expired', []]);
    expect(kept()).toEqual([1]);
  });

  test('only so many orders wait', () => {
    const orders = [drop(), drop(), drop()];
    rig.seat.run();
    expect(orders.map((order) => rig.refusalOf(order))).toEqual([undefined, undefined, 'overloaded']);
    rig.seat.settle();
    expect(orders.slice(0, 2).map((order) => rig.valueOf(order))).toMatchObject([{ taken: 1 }, { taken: 0 }]);
  });

  test('an order that waits is refused when the batch is lost', () => {
    const order = drop();
    rig.seat.run();
    rig.seat.lose(0);
    rig.seat.settle();
    expect([rig.refusalOf(order), kept()]).toEqual(['storageUnavailable', [1]]);
  });
});
