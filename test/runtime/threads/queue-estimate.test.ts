/** When a request to another thread is refused, because its answer would come too late. */
import { beforeEach, expect, test } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { QueueEstimate } from '../../../src/runtime/threads/queue-estimate.ts';

const intervalMilliseconds = 250;
const { callWaitMillisecondsMax, callsAlwaysAdmitted } = threadLimits;

let queue: QueueEstimate;

beforeEach(() => {
  queue = new QueueEstimate();
});

function ask(count: number): number {
  let admitted = 0;
  for (let request = 0; request < count; request += 1) {
    if (queue.isTooLong) continue;
    queue.asked();
    admitted += 1;
  }
  return admitted;
}

/** So many answers in each of some intervals. */
function answer(perSecond: number, intervals: number): void {
  for (let interval = 0; interval < intervals; interval += 1) {
    for (let count = 0; count < (perSecond * intervalMilliseconds) / 1_000; count += 1) queue.ended(true);
    queue.measure(intervalMilliseconds);
  }
}

test('a burst that is answered in time is admitted whole', () => {
  expect(ask(1_500)).toBe(1_500);
});

test.each([100, 1_000, 5_000])('at %i answers a second, so many wait as are answered in time', (perSecond) => {
  // Ten times as many come as are answered.
  for (let interval = 0; interval < 40; interval += 1) {
    ask((perSecond * 10 * intervalMilliseconds) / 1_000);
    answer(perSecond, 1);
  }
  const waiting = ask(1_000_000) + unanswered();
  const inTime = Math.max(callsAlwaysAdmitted, (perSecond * callWaitMillisecondsMax) / 1_000);
  expect(waiting).toBeGreaterThan(inTime * 0.8);
  expect(waiting).toBeLessThan(inTime * 1.2);
});

/** Counted by taking them all out. */
function unanswered(): number {
  return (queue as unknown as { unanswered: number }).unanswered;
}

test('few are admitted where nothing is answered, and all again once it is', () => {
  ask(callsAlwaysAdmitted * 2);
  for (let interval = 0; interval < 40; interval += 1) queue.measure(intervalMilliseconds);
  expect(ask(100)).toBe(0);
  for (let count = 0; count < callsAlwaysAdmitted * 2; count += 1) queue.ended(false);
  expect(ask(callsAlwaysAdmitted)).toBe(callsAlwaysAdmitted);
});

test('serving one call after the other does not lower the estimate for a burst', () => {
  for (let interval = 0; interval < 40; interval += 1) {
    ask(1);
    queue.ended(true);
    queue.measure(intervalMilliseconds);
  }
  expect(ask(1_500)).toBe(1_500);
});
