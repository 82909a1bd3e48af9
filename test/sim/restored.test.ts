/** A partition is restored from an older copy than the others: this is reported, and no message is lost unnoticed. */
import { expect, test } from 'vitest';
import { bankGoingBack } from './bank/restored.ts';
import { fixedSeeds, onlySeed, seedFactor, testFreshSeeds } from './seeds.ts';
import { World } from './world.ts';

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

test('a partition that goes back in time', async () => {
  for (const seed of fixedSeeds(10 * seedFactor)) await simulate(seed);
});

testFreshSeeds('a partition that goes back in time', simulate, { seconds: 120, normalSeconds: 0.5 });
