/** What work costs, in CPU time: how busy the machine is makes little difference to it. */
import { expect } from 'vitest';

const attempts = 3;
const parts = 8;
/** Beside work that is over in no time the garbage collector would count. */
const slackMicroseconds = 30_000;

/**
 * Expects eight times the work to cost as much in one piece as in eight: 8 times as much where it is quadratic. `size`
 * must be so large that quadratic work takes tenths of a second.
 */
export function expectLinear(size: number, work: (size: number) => unknown): void {
  const inPieces = leastMicroseconds(() => {
    for (let piece = 0; piece < parts; piece += 1) work(size / parts);
  });
  const inOne = leastMicroseconds(() => work(size));
  expect(inOne).toBeLessThan(inPieces * 4 + slackMicroseconds);
}

/** The CPU time of the cheapest of a few attempts; the first one also warms up. */
function leastMicroseconds(work: () => void): number {
  const costs = Array.from({ length: attempts }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}
