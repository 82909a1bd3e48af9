/** A micro-benchmark: a piece of the runtime in a loop, run by tinybench. */
import { Bench } from 'tinybench';

export interface MicroBench {
  readonly name: string;
  /** Calls of what is measured in one call of `run`: enough that the clock does not matter. */
  readonly operations: number;
  /** Makes what it works on; `close` frees it. */
  prepare(): PreparedBench;
}

export interface PreparedBench {
  run(): void;
  close?(): void;
}

export interface MicroResult {
  readonly name: string;
  /** Of one operation: the median and the 99th percentile of the loops. */
  readonly nanoseconds: number;
  readonly nanosecondsP99: number;
  readonly samples: number;
}

/** Runs one after the other, each for about as long. Throws what a bench throws. */
export async function runMicroBenches(benches: readonly MicroBench[], milliseconds: number): Promise<MicroResult[]> {
  const results: MicroResult[] = [];
  for (const bench of benches) results.push(await runOne(bench, milliseconds));
  return results;
}

async function runOne({ name, operations, prepare }: MicroBench, milliseconds: number): Promise<MicroResult> {
  const prepared = prepare();
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 4, iterations: 1, throws: true });
  bench.add(name, () => prepared.run());
  await bench.run();
  prepared.close?.();
  const { result } = bench.tasks[0]!;
  if (result.state !== 'completed') throw new Error(`the bench "${name}" is ${result.state}`);
  const perOperation = (millisecondsOfRun: number) => (millisecondsOfRun * 1_000_000) / operations;
  const { p50, p99, samplesCount } = result.latency;
  return { name, nanoseconds: perOperation(p50), nanosecondsP99: perOperation(p99), samples: samplesCount };
}

/** Numbers that the optimiser cannot foresee, the same in every run. */
export function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  let seed = 12_345;
  for (let index = count - 1; index > 0; index -= 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const other = seed % (index + 1);
    [numbers[index], numbers[other]] = [numbers[other]!, numbers[index]!];
  }
  return numbers;
}

let kept: unknown;

/** Keeps a result alive, so that no loop is optimised away. */
export function keep(result: unknown): void {
  kept = result;
}

export function lastKept(): unknown {
  return kept;
}
