/** What the bench measures with: statistics, pairs, the kernel's counters, frames, the table. */
import { describe, expect, test } from 'vitest';
import { markerIn, markerOf } from '../../bench/load/marker.ts';
import { FrameReader } from '../../bench/load/stream/frames.ts';
import { runPairs, type Window, warmUp } from '../../bench/measure/pairs.ts';
import { cpuMicrosecondsOf, residentBytesOf } from '../../bench/measure/process-cpu.ts';
import { median, percentile } from '../../bench/measure/statistics.ts';
import { meets } from '../../bench/scenario.ts';
import { tableOf } from '../../bench/table.ts';

test.each([
  [[5], 50, 5],
  [[3, 1, 2], 50, 2],
  [[4, 1, 2, 3], 50, 2.5],
  [[0, 10], 99, 9.9],
  [[2, 1], 100, 2],
])('percentile of %j at %d', (values, rank, expected) => {
  expect(percentile(values, rank)).toBeCloseTo(expected);
});

test('there is no median of nothing', () => {
  expect(() => median([])).toThrow('nothing');
});

describe('pairs', () => {
  const window = (cpuMicroseconds: number, more: Partial<Window> = {}): Window => ({
    operations: 10,
    cpuMicroseconds,
    wallMilliseconds: 1,
    busyShare: 0.5,
    failures: 0,
    ...more,
  });
  const sequence = (...windows: Window[]) => {
    const rest = windows.values();
    return async () => rest.next().value!;
  };

  test('the ratio is reference / server, the median of the pairs', async () => {
    const runs = await runPairs(
      3,
      sequence(window(100), window(200), window(400)),
      sequence(window(50), window(50), window(50)),
    );
    expect(runs).toMatchObject({ ratio: 0.25, lowest: 0.125, highest: 0.5, serverMicroseconds: 20, busyShare: 0.5 });
  });

  test('every second pair begins with the reference', async () => {
    const order: string[] = [];
    const noted = (name: string) => async () => {
      order.push(name);
      return window(1);
    };
    await runPairs(2, noted('server'), noted('reference'));
    expect(order).toEqual(['server', 'reference', 'reference', 'server']);
  });

  test('a window with a busy generator is void and is run again', async () => {
    const runs = await runPairs(1, sequence(window(1, { busyShare: 0.9 }), window(100)), sequence(window(50)));
    expect(runs.ratio).toBe(0.5);
  });

  test.each([
    ['always busy', { busyShare: 0.9 }, 'void'],
    ['failures', { failures: 1 }, 'failed'],
    ['nothing done', { operations: 0 }, 'no operation'],
  ])('%s: there is no figure', async (_case, more, message) => {
    const run = async () => window(1, more);
    await expect(runPairs(1, run, run)).rejects.toThrow(message);
  });

  test('the warm-up ends when the cost no longer falls', async () => {
    const costs = [100, 50, 30, 29, 29, 30, 1].values();
    await warmUp(async () => window(costs.next().value!));
    expect([...costs]).toEqual([1]);
  });
});

test('the kernel counts the CPU and the memory of this process', () => {
  const before = cpuMicrosecondsOf(process.pid);
  const begun = process.cpuUsage();
  for (let used = 0; used < 100_000; ) {
    const { user, system } = process.cpuUsage(begun);
    used = user + system;
  }
  expect(cpuMicrosecondsOf(process.pid)).toBeGreaterThan(before);
  const { all, own } = residentBytesOf(process.pid);
  expect(own).toBeGreaterThan(1_000_000);
  expect(all).toBeGreaterThan(own);
});

describe('frames', () => {
  const frame = (text: string) => {
    const payload = Buffer.from(text);
    const head =
      payload.length < 126 ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 0xff];
    return Buffer.concat([Buffer.from(head), payload]);
  };
  const messages = ['', 'short', 'x'.repeat(125), 'y'.repeat(126), 'z'.repeat(4_000)];
  const bytes = Buffer.concat([
    ...messages.slice(0, 3).map(frame),
    Buffer.from([0x89, 0]),
    ...messages.slice(3).map(frame),
  ]);

  test.each([1, 2, 3, 130, 5_000])('are read from pieces of %d bytes', (size) => {
    const read: string[] = [];
    const controls: number[] = [];
    const reader = new FrameReader({
      text: (payload) => read.push(payload.toString()),
      control: (opcode) => controls.push(opcode),
    });
    for (let offset = 0; offset < bytes.length; offset += size) reader.received(bytes.subarray(offset, offset + size));
    expect(read).toEqual(messages);
    expect(controls).toEqual([9]);
  });
});

test.each([0, 42, 999_999])('the marker %d is found in a message', (number) => {
  expect(markerIn(Buffer.from(`{"content":"<p>${markerOf(number)} hello</p>"}`))).toBe(number);
});

test('a message without a marker has none', () => {
  expect(markerIn(Buffer.from('{}'))).toBeUndefined();
});

test.each([
  [0.5, { atLeast: 0.5 }, true],
  [0.4, { atLeast: 0.5 }, false],
  [10, { atMost: 12 }, true],
  [13, { atMost: 12 }, false],
])('%d meets %j: %s', (measured, target, expected) => {
  expect(meets({ what: 'a figure', measured, unit: '', target, beside: '' })).toBe(expected);
});

test('the table marks targets that are missed', () => {
  const figure = { what: 'reads', unit: 'of bare', lowest: 0.41, highest: 0.461, beside: 'bare 10 µs' };
  expect(
    tableOf([{ ...figure, measured: 0.43219, target: { atLeast: 0.5 } }])
      .split('\n')
      .at(-1),
  ).toBe('| reads | 0.432 of bare | 0.41 – 0.461 | ≥ 0.5 | **no** | bare 10 µs |');
});
