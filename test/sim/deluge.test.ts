/**
 * The bank under a deluge: more messages for one account than a channel has under way, and, with bounds that are low
 * here, more than a batch runs and the inbox holds. One seed: MURMURATION_SIM_SEED=… npx vitest run test/sim/deluge.test.ts
 */
import { expect, test, vi } from 'vitest';
import { bank } from './bank/bank.ts';
import { freshSeeds } from './seeds.ts';
import { World } from './world.ts';

vi.mock('../../src/runtime/limits.ts', async (original) => {
  const limits = await original<typeof import('../../src/runtime/limits.ts')>();
  return { ...limits, partitionLimits: { ...limits.partitionLimits, inboxMessagesMax: 1_000, batchTurnsMax: 512 } };
});

const onlySeed = process.env.MURMURATION_SIM_SEED;
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const operations = 50;
/** From here on every deluge meets an inbox that is full. */
const firstSeed = 7;
const seeds =
  onlySeed !== undefined
    ? [Number(onlySeed)]
    : Array.from({ length: isLong ? 60 : 2 }, (_, index) => index + firstSeed);

async function simulate(seed: number): Promise<void> {
  const world = new World(seed, bank(operations, { deluge: true }), onlySeed !== undefined);
  await world.run();
  expect(world.timeline.steps).toBeGreaterThan(operations);
}

test.each(seeds)('seed %d', simulate);

// because a seed that is run again is run alone.
test.skipIf(onlySeed !== undefined)('fresh seeds', async () => {
  for (const seed of freshSeeds('the deluge', isLong ? 120_000 : 1_000)) await simulate(seed);
});
