/** Effects that pile up on disk because none is answered, with lowered bounds. */
import { beforeEach, expect, test, vi } from 'vitest';
import { deadLetters } from '../../src/runtime/storage/machine.ts';
import { act, Fetch, hear, Player, playerOf } from './support/players.ts';
import { Rig } from './support/rig.ts';

const lowered = vi.hoisted(() => ({ effectsMax: 6, effectsBytesMax: 5_000, effectsUnderWayMax: 2 }));

vi.mock('../../src/runtime/limits.ts', async (original) => {
  const limits = await original<typeof import('../../src/runtime/limits.ts')>();
  return { ...limits, partitionLimits: { ...limits.partitionLimits, ...lowered } };
});

const alice = playerOf(0, 1);
const bob = playerOf(0, 1, 1);

let rig: Rig;

const fetch = (what: string) => {
  const call = rig.call(act(alice, 'fetch', what));
  rig.seat.settle();
  return rig.refusalOf(call);
};

beforeEach(() => {
  rig = new Rig();
  rig.scripts.define('fetch', (turn, what) => turn.effect(Fetch, { what: what as string }, Player.answered));
  rig.scripts.define('answered', () => undefined);
  rig.scripts.define('push', (turn, what) => turn.tell(hear(alice, 'fetch', what)));
});

test.each([
  { bound: 'number', what: 'page', asked: lowered.effectsMax, told: 4 * lowered.effectsMax },
  { bound: 'bytes', what: 'page'.repeat(250), asked: 5, told: 19 },
])('a bound on their $bound refuses calls, and makes letters of messages far above it', ({ what, asked, told }) => {
  expect(Array.from({ length: asked + 2 }, () => fetch(what))).toEqual([
    ...Array.from({ length: asked }, () => undefined),
    ...['overloaded', 'overloaded'],
  ]);
  rig.seat.restart();
  expect(fetch(what)).toBe('overloaded');
  const letters = () => [...rig.seat.disk.range(deadLetters, [])].map(({ value }) => value.error);
  for (let number = asked; number < told; number += 1) rig.call(act(bob, 'push', what));
  rig.seat.settle();
  expect(letters()).toEqual([]);
  rig.call(act(bob, 'push', what));
  rig.seat.settle();
  expect(letters()).toEqual([expect.stringContaining('player.hear: ')]);
  for (let sequence = 1; sequence <= told; sequence += 1) {
    rig.seat.partition.effectAnswered(sequence, 'text');
    rig.seat.settle();
  }
  expect([rig.seat.partition.load.effectsPending, rig.seat.partition.load.effectsBytes]).toEqual([0, 0]);
  expect(fetch(what)).toBeUndefined();
});

test('effects of batches that are not on disk yet count as well', () => {
  const calls = Array.from({ length: lowered.effectsMax + 2 }, (_, number) => {
    const call = rig.call(act(playerOf(0, 1, number), 'fetch', 'page'));
    rig.run();
    return call;
  });
  expect(rig.seat.log.waiting).toBe(1);
  rig.seat.settle();
  expect(calls.filter((call) => rig.refusalOf(call) === undefined)).toEqual(calls.slice(0, lowered.effectsMax));
  expect(rig.seat.partition.load.effectsPending).toBe(lowered.effectsMax);
});
