/** The monotonic clock is one for all threads, and nobody sets it; the wall clock is watched. */
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { clockOf, createClockShift, systemClock, WallClockWatch } from '../../../src/runtime/threads/clock.ts';

afterEach(() => void vi.useRealTimers());

test('a thread that was started later reads the same monotonic clock', async () => {
  const source = new URL('../../../src/runtime/threads/clock.ts', import.meta.url).href;
  const code = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(source)}).then(({ systemClock }) => {
      const read = () => parentPort.postMessage(systemClock.monotonic());
      parentPort.on('message', read);
      read();
    });`;
  const worker = new Worker(code, { eval: true });
  const next = () => new Promise<number>((resolve) => worker.once('message', resolve));
  try {
    const first = await next();
    const before = systemClock.monotonic();
    worker.postMessage('again');
    const there = await next();
    const after = systemClock.monotonic();
    expect([first <= before, before <= there, there <= after]).toEqual([true, true, true]);
  } finally {
    await worker.terminate();
  }
});

test('setting the wall clock does not move the monotonic one, which counts milliseconds', () => {
  vi.useFakeTimers();
  const begun = systemClock.monotonic();
  vi.setSystemTime(systemClock.now() + 86_400_000);
  expect(systemClock.monotonic() - begun).toBe(0);
  vi.advanceTimersByTime(1_500);
  expect(systemClock.monotonic() - begun).toBe(1_500);
});

test('a clock of its own begins at its moment, goes on, and may be set forward; the monotonic one stays', () => {
  vi.useFakeTimers();
  const begun = systemClock.monotonic();
  const startsAt = Date.UTC(2026, 0, 2, 3, 4, 5);
  const shift = createClockShift(startsAt);
  const clock = clockOf(shift);
  const first = clock.now();
  expect([first >= startsAt, first < startsAt + 1_000]).toEqual([true, true]);
  const heard = vi.fn();
  const watch = new WallClockWatch(clock, heard);
  vi.advanceTimersByTime(5_000);
  expect(heard).not.toHaveBeenCalled();
  shift[0]! += 60;
  vi.advanceTimersByTime(threadLimits.clockCheckMilliseconds);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(clock.now()).toBe(first + 66_000);
  expect(clock.monotonic() - begun).toBe(6_000);
  watch.close();
});

test.each([
  ['set ahead', 3_600_000, 1],
  ['set back', -3_600_000, 1],
  ['left alone', 0, 0],
])('a wall clock that is %s', (_how, jump, times) => {
  vi.useFakeTimers();
  const heard = vi.fn();
  const watch = new WallClockWatch(systemClock, heard);
  vi.advanceTimersByTime(10_000);
  vi.setSystemTime(Date.now() + jump);
  vi.advanceTimersByTime(threadLimits.clockCheckMilliseconds);
  expect(heard).toHaveBeenCalledTimes(times);
  vi.advanceTimersByTime(10_000);
  expect(heard).toHaveBeenCalledTimes(times);
  watch.close();
});

test('a wall clock that goes faster is told of again and again', () => {
  vi.useFakeTimers();
  const heard = vi.fn();
  const watch = new WallClockWatch(systemClock, heard);
  for (let second = 0; second < 100; second += 1) {
    vi.advanceTimersByTime(1_000);
    vi.setSystemTime(Date.now() + 10);
  }
  expect(heard).toHaveBeenCalledTimes((100 * 10) / threadLimits.clockSetMilliseconds - 1);
  watch.close();
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(10_000);
  expect(heard).toHaveBeenCalledTimes((100 * 10) / threadLimits.clockSetMilliseconds - 1);
});
