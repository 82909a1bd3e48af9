/** Which seeds are run. The fixed ones find what came back, fresh ones what nobody has thought of. */
import { randomInt } from 'node:crypto';

const seedMax = 2 ** 31;

/** How many times as many fixed seeds as in the normal suite: planted faults have to be found by chance. */
export const seedFactor = Number(process.env.MURMURATION_SIM_SEED_FACTOR ?? 1);

/** One after the other until so much time has passed; at least one. Prints which they were. */
export function* freshSeeds(workload: string, milliseconds: number): Generator<number> {
  const first = randomInt(seedMax);
  const end = performance.now() + milliseconds;
  let seed = first;
  try {
    do {
      yield seed;
      seed += 1;
    } while (performance.now() < end);
  } finally {
    console.info(`${workload}: ${seed - first} fresh seeds from ${first}`);
  }
}
