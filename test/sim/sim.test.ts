/** Seeded simulations of partitions under faults. One seed: MURMURATION_SEED=… npx vitest run test/sim */
import { expect, test, vi } from 'vitest';
import { bank } from './bank/bank.ts';
import { onlySeed, seedFactor, testFreshSeeds } from './seeds.ts';
import { World } from './world.ts';

/** A low bound, so that some dead letters are archived. */
vi.mock('../../src/runtime/limits.ts', async (original) => {
  const limits = await original<typeof import('../../src/runtime/limits.ts')>();
  return { ...limits, partitionLimits: { ...limits.partitionLimits, deadLettersMax: 2, lettersPerArchiveMax: 2 } };
});

const seedsPerTest = 12;
const tests = 10 * seedFactor;
const operations = 150;

/** Runs one seed to its end; throws when a checker complains. Returns how many events it took. */
async function simulate(seed: number, tracesAll = false): Promise<number> {
  const world = new World(seed, bank(operations), tracesAll);
  await world.run();
  return world.timeline.steps;
}

if (onlySeed !== undefined) {
  test(`seed ${onlySeed}`, async () => {
    expect(await simulate(onlySeed!, true)).toBeGreaterThan(operations);
  });
} else {
  test.each(
    Array.from({ length: tests }, (_, index) => 1 + index * seedsPerTest),
  )(`the bank, ${seedsPerTest} seeds from %d`, async (first) => {
    for (let seed = first; seed < first + seedsPerTest; seed += 1)
      expect(await simulate(seed)).toBeGreaterThan(operations);
  });

  const play = async (seed: number) => expect(await simulate(seed)).toBeGreaterThan(operations);
  testFreshSeeds('the bank', play, { seconds: 300, normalSeconds: 2 });

  test('the same seed gives the same run', async () => {
    expect(await simulate(4)).toBe(await simulate(4));
    expect(await simulate(4)).not.toBe(await simulate(5));
  });
}
