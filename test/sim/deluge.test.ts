/**
 * The bank under a deluge: more messages for one account than a channel has under way, and, with bounds that are low
 * here, more than a batch runs and the inbox holds; and under a rush of calls. One seed: MURMURATION_SEED=… npx vitest run test/sim/deluge.test.ts
 */
import { expect, test, vi } from 'vitest';
import { bank } from './bank/bank.ts';
import { rush } from './bank/rush.ts';
import { calm } from './drawn-faults.ts';
import { fixedSeeds, onlySeed, seedFactor, testFreshSeeds } from './seeds.ts';
import { World } from './world.ts';

vi.mock('../../src/runtime/limits.ts', async (original) => {
  const limits = await original<typeof import('../../src/runtime/limits.ts')>();
  return {
    ...limits,
    partitionLimits: {
      ...limits.partitionLimits,
      inboxMessagesMax: 1_000,
      batchTurnsMax: 512,
      // Room for fewer than a rush leaves when four full batches are under way: something is refused in each.
      waitingCallsMax: 2_000,
      waitingCallsReserved: 200,
    },
  };
});

const operations = 50;
/** In the first six deluges an inbox is full. */
const seeds = fixedSeeds(2 * seedFactor);

async function simulate(seed: number): Promise<void> {
  const world = new World(seed, bank(operations, { deluge: true }), onlySeed !== undefined);
  await world.run();
  expect(world.timeline.steps).toBeGreaterThan(operations);
}

test.each(seeds)('seed %d', simulate);

async function simulateRush(seed: number): Promise<void> {
  const appendsMax = 1 + (seed % 4);
  const world = new World(seed, rush(appendsMax), onlySeed !== undefined);
  calm(world.faults);
  // An append is over before a call expires: one that finds a full batch begins with the next commit.
  Object.assign(world.faults, { travelMilliseconds: 2, appendMilliseconds: 450, appendsMax });
  await world.run();
  expect(world.timeline.steps).toBeGreaterThan(operations);
}

test('a rush of calls: flows that ask for little are served as before, all others are refused in time', async () => {
  for (const seed of seeds) await simulateRush(seed);
});

testFreshSeeds('the deluge', simulate, { seconds: 120, normalSeconds: 0 });
testFreshSeeds('the rush', simulateRush, { seconds: 60 });
