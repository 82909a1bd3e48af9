/** Seeds that no run has had before: the fixed ones find what came back, these what nobody has thought of. */
import { randomInt } from 'node:crypto';

const seedMax = 2 ** 31;

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
