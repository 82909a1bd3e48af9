/** The limit of a fan-out: one 64-bit id into as many rings of shared memory, in an order that no cache foresees. */
import { performance } from 'node:perf_hooks';
import { feedEntries } from '../../src/server/shared.ts';
import { median } from '../measure/statistics.ts';

const rounds = 9;
/** Odd, so that it visits every ring of a power of two, and most of any other number. */
const stride = 40_503;

/** Median of several rounds, once the memory has been touched. */
export function bareRingWritesMilliseconds(rings: number): number {
  const ids = new BigUint64Array(new SharedArrayBuffer(rings * feedEntries * 8));
  const milliseconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begunAt = performance.now();
    for (let index = 0; index < rings; index += 1)
      ids[((index * stride) % rings) * feedEntries + round] = BigInt(round);
    milliseconds.push(performance.now() - begunAt);
  }
  return median(milliseconds);
}
