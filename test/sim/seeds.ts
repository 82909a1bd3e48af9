/** Which seeds run: fixed ones find regressions, fresh ones find new faults. */
import { randomInt } from 'node:crypto';
import { test } from 'vitest';

const seedMax = 2 ** 31;

/** Runs only this seed: `MURMURATION_SEED=17 npx vitest run test/sim`. */
export const onlySeed = process.env.MURMURATION_SEED === undefined ? undefined : Number(process.env.MURMURATION_SEED);

/** The number of fixed seeds as a multiple of the normal suite's: planted faults are found by chance. */
export const seedFactor = Number(process.env.MURMURATION_SEED_FACTOR ?? 1);

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

/** How long each story runs fresh seeds, in minutes, whatever the suite: `MURMURATION_FRESH_MINUTES=10 npx vitest run <file>`. */
const freshMinutes = process.env.MURMURATION_FRESH_MINUTES;

/** From 1 on, unless only one is to be played; in the long suite `inLongSuite`. */
export function fixedSeeds(count: number, inLongSuite = count): readonly number[] {
  const length = isLong ? inLongSuite : count;
  return onlySeed === undefined ? Array.from({ length }, (_, index) => index + 1) : [onlySeed];
}

/**
 * A test of the long suite that runs fresh seeds for some seconds, or for MURMURATION_FRESH_MINUTES. It prints them; a
 * failure names its seed, which `MURMURATION_SEED` repeats. In the normal suite it runs for `normalSeconds`, or does not
 * exist.
 */
export function testFreshSeeds(
  story: string,
  play: (seed: number) => unknown,
  { seconds, normalSeconds }: { seconds: number; normalSeconds?: number },
): void {
  const asked = freshMinutes === undefined ? undefined : Number(freshMinutes) * 60;
  const length = asked ?? (isLong ? seconds : normalSeconds);
  if (length === undefined || onlySeed !== undefined) return;
  test(`${story}, fresh seeds`, { timeout: length * 1_000 + 600_000 }, async () => {
    const first = randomInt(seedMax);
    const end = performance.now() + length * 1_000;
    let seed = first;
    try {
      do {
        await play(seed);
        seed += 1;
      } while (performance.now() < end);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    } finally {
      console.info(`${story}: ${seed - first} fresh seeds from ${first}`);
    }
  });
}
