/** Seeded simulations of partitions under faults. One seed: MURMURATION_SIM_SEED=… npx vitest run test/sim */
import { expect, test } from 'vitest';
import { bank } from './bank/bank.ts';
import { World } from './world.ts';

const onlySeed = process.env['MURMURATION_SIM_SEED'];
const isLong = process.env['MURMURATION_LONG_TESTS'] !== undefined;
const seedsPerTest = 25;
const tests = isLong ? 200 : 12;

async function simulate(seed: number): Promise<void> {
  await new World(seed, bank({ operations: 150 })).run();
}

if (onlySeed !== undefined) {
  test(`seed ${onlySeed}`, async () => {
    await simulate(Number(onlySeed));
    expect.assertions(0);
  });
} else {
  test.each(
    Array.from({ length: tests }, (_, index) => 1 + index * seedsPerTest),
  )('the bank, seeds from %d', async (first) => {
    for (let seed = first; seed < first + seedsPerTest; seed += 1) await simulate(seed);
  });
}
