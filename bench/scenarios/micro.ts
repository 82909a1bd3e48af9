/** The parts of the runtime in loops. They have no targets: a part that becomes slower is seen here first. */
import { runMicroBenches } from '../micro/micro-bench.ts';
import { storageBenches } from '../micro/storage.ts';
import { turnBenches } from '../micro/turns.ts';
import { valueBenches } from '../micro/values.ts';
import type { Scenario } from '../scenario.ts';

const name = 'micro';

export const microScenario: Scenario = {
  name,
  summary: 'parts of the runtime in loops',
  async run({ size, samples }) {
    const results = await runMicroBenches([...valueBenches, ...storageBenches, ...turnBenches], size.microMilliseconds);
    for (const result of results) samples.write({ scenario: name, kind: 'micro', ...result });
    return results.map((result) => ({
      what: result.name,
      measured: result.nanoseconds,
      unit: 'ns',
      beside: `p99 of the loops ${result.nanosecondsP99.toFixed(0)} ns; ${result.samples} loops`,
    }));
  },
};
