/** A partition is restored from an older copy than the others: reported, and nothing is swallowed. */
import { expect, test } from 'vitest';
import { bankGoingBack } from './bank/restored.ts';
import { freshSeeds, seedFactor } from './seeds.ts';
import { World } from './world.ts';

const onlySeed = process.env.MURMURATION_SIM_SEED;
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const operations = 100;

async function simulate(seed: number): Promise<void> {
  let restored = -1;
  const world = new World(
    seed,
    bankGoingBack(operations, () => restored),
    onlySeed !== undefined,
  );
  restored = world.planRestore();
  await world.run();
  expect(world.timeline.steps).toBeGreaterThan(operations);
}

test('a partition that goes back in time', { timeout: 1_800_000 }, async () => {
  const seeds =
    onlySeed === undefined
      ? Array.from({ length: isLong ? 2_000 : 10 * seedFactor }, (_, index) => index + 1)
      : [onlySeed];
  for (const seed of seeds) await simulate(Number(seed));
});

// because a seed that is run again is run alone.
test.skipIf(onlySeed !== undefined)('fresh seeds', async () => {
  for (const seed of freshSeeds('a partition that goes back', isLong ? 60_000 : 500)) await simulate(seed);
});
