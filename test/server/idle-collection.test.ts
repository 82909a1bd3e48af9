/** An idle thread collects the garbage of the last load, once. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { IdleCollector, idleLimits } from '../../src/server/idle-collection.ts';

const megabyte = 1024 * 1024;
const idle = 0.01;
const busy = 0.5;

describe('a thread', () => {
  test.each([
    ['that was never busy keeps its heap', [idle, idle, idle, idle], 40, 0],
    ['that has become larger collects when it is idle for long enough', [busy, idle, idle, idle], 100, 1],
    ['that has just become idle waits', [busy, idle, idle], 100, 0],
    ['that is busy now and then waits', [idle, idle, busy, idle, idle], 100, 0],
    ['that has hardly grown keeps its heap', [idle, idle, idle], 50, 0],
    ['that has collected does so once', [idle, idle, idle, idle, idle, idle, idle, idle], 100, 1],
  ] as const)('%s', (_what, shares, megabytes, collections) => {
    const left = [...shares];
    let held = 40 * megabyte;
    let collected = 0;
    const collector = new IdleCollector({
      busyShare: () => left.shift() ?? busy,
      heldBytes: () => held,
      collect() {
        collected += 1;
        held = 40 * megabyte;
      },
    });
    held = megabytes * megabyte;
    for (const _look of shares) collector.look();
    expect(collected).toBe(collections);
    expect(idleLimits.looks).toBe(3);
  });
});

test('what a collection frees goes back to the system', async () => {
  const worker = new Worker(new URL('fixtures/grown-heap.ts', import.meta.url));
  const ended = once(worker, 'exit');
  const [looks] = (await once(worker, 'message')) as [number];
  // V8 would do it by itself after some 160 looks, as a rule.
  expect(looks).toBeLessThan(60);
  await ended;
});
