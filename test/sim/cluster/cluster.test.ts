/** Nodes of a cluster under faults, in virtual time. One seed: MURMURATION_SEED=… npx vitest run test/sim/cluster */
import { expect, test } from 'vitest';
import { fixedSeeds, onlySeed, seedFactor, testFreshSeeds } from '../seeds.ts';
import { ClusterWorld } from './cluster-world.ts';

const seedsPerTest = 4;
const tests = 2 * seedFactor;

async function simulate(seed: number): Promise<ClusterWorld> {
  const world = new ClusterWorld(seed);
  await world.run();
  return world;
}

if (onlySeed !== undefined) {
  test(`seed ${onlySeed}`, async () => {
    expect((await simulate(onlySeed!)).history.acknowledgedCount).toBeGreaterThan(10);
  });
} else {
  test.each(
    fixedSeeds(tests).map((index) => 1 + (index - 1) * seedsPerTest),
  )(`${seedsPerTest} seeds from %d`, async (first) => {
    for (let seed = first; seed < first + seedsPerTest; seed += 1)
      expect((await simulate(seed)).history.acknowledgedCount).toBeGreaterThan(10);
  });

  testFreshSeeds('nodes of a cluster', simulate, { seconds: 300 });

  test('the same seed gives the same run', async () => {
    const run = async (seed: number) => {
      const { time, history } = await simulate(seed);
      return [time.steps, history.acknowledgedCount, history.refusedCount];
    };
    expect(await run(5)).toEqual(await run(5));
    expect(await run(5)).not.toEqual(await run(6));
  });
}
