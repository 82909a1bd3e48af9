/** Measures the CPU time of work in its thread, which hardly depends on how busy the machine and other threads are. */
import { expect } from 'vitest';

const attempts = 3;
const parts = 8;
/** Covers garbage collections, which would dominate very short work. */
const slackMicroseconds = 30_000;

/**
 * Expects eight times the work to cost as much in one piece as in eight: 8 times as much where it is quadratic. `size`
 * must be so large that quadratic work takes tenths of a second. One attempt of a few is enough: none makes quadratic work
 * look linear.
 */
export function expectLinear(size: number, work: (size: number) => unknown): void {
  const costs: { inOne: number; mostAllowed: number }[] = [];
  // Warms up, because the first run costs more.
  for (let piece = 0; piece < parts; piece += 1) work(size / parts);
  while (costs.length < attempts) {
    const inPieces = microsecondsOf(() => {
      for (let piece = 0; piece < parts; piece += 1) work(size / parts);
    });
    const inOne = microsecondsOf(() => work(size));
    const mostAllowed = inPieces * 4 + slackMicroseconds;
    if (inOne < mostAllowed) return;
    costs.push({ inOne, mostAllowed });
  }
  expect.fail(`not linear, in microseconds of CPU: ${JSON.stringify(costs)}`);
}

function microsecondsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
