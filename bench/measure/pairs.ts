/**
 * Ratios of CPU per operation. The server and its reference run alone, in turn, each pinned to the same core, under the
 * same generator on another core; the ratio of a pair is reference / server, so that 1 means "as cheap as the limit".
 * A window in which the generator was busy for more than 80 % is void: it may have been what was measured.
 */
import { median } from './statistics.ts';

export const busyShareMax = 0.8;
const attemptsMax = 4;

/** One window of load. */
export interface Window {
  readonly operations: number;
  readonly cpuMicroseconds: number;
  readonly wallMilliseconds: number;
  /** Of the generator; undefined where the load makes itself. */
  readonly busyShare: number | undefined;
  readonly failures: number;
}

export interface Pair {
  readonly server: Window;
  readonly reference: Window;
  readonly ratio: number;
}

export interface PairedRuns {
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly serverMicroseconds: number;
  readonly referenceMicroseconds: number;
  readonly busyShare: number;
  readonly pairs: readonly Pair[];
}

/** Runs the pairs, every second one with the reference first. Throws when a window stays void or answers failed. */
export async function runPairs(
  count: number,
  server: () => Promise<Window>,
  reference: () => Promise<Window>,
): Promise<PairedRuns> {
  const pairs: Pair[] = [];
  for (let index = 0; index < count; index += 1) {
    const serverFirst = index % 2 === 0;
    const first = await validWindow(serverFirst ? server : reference);
    const second = await validWindow(serverFirst ? reference : server);
    const [ours, bare] = serverFirst ? [first, second] : [second, first];
    pairs.push({ server: ours, reference: bare, ratio: costOf(bare) / costOf(ours) });
  }
  return summarize(pairs);
}

const warmUpsMax = 24;
const steadyWindows = 3;
const steadyFall = 0.9;

/** Runs windows until several in a row are not much cheaper than the one before: caches are full, code is compiled. */
export async function warmUp(run: () => Promise<Window>): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  let steady = 0;
  for (let count = 0; count < warmUpsMax && steady < steadyWindows; count += 1) {
    const cost = costOf(await run());
    steady = cost < before * steadyFall ? 0 : steady + 1;
    before = cost;
  }
}

export function costOf(window: Window): number {
  return window.cpuMicroseconds / window.operations;
}

function summarize(pairs: readonly Pair[]): PairedRuns {
  const ratios = pairs.map(({ ratio }) => ratio);
  return {
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    serverMicroseconds: median(pairs.map(({ server }) => costOf(server))),
    referenceMicroseconds: median(pairs.map(({ reference }) => costOf(reference))),
    busyShare: Math.max(...pairs.flatMap(({ server, reference }) => [server.busyShare ?? 0, reference.busyShare ?? 0])),
    pairs,
  };
}

async function validWindow(run: () => Promise<Window>): Promise<Window> {
  for (let attempt = 1; ; attempt += 1) {
    const window = await run();
    if (window.operations === 0) throw new Error('no operation was completed in a window');
    if (window.failures > 0) throw new Error(`${window.failures} operations of a window failed`);
    if ((window.busyShare ?? 0) <= busyShareMax) return window;
    if (attempt === attemptsMax) throw new Error('the generator was too busy: the run is void');
  }
}
