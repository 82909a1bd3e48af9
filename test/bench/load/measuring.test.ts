/** What the load tool measures with: histograms, arrivals, and what counts. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrivalsBetween, arrive, type Rate } from '../../../bench/load/run/arrivals.ts';
import { Histogram } from '../../../bench/load/run/histogram.ts';
import { Recorder } from '../../../bench/load/run/recorder.ts';
import { parseScenario, readScenario, resized, scenarioNames } from '../../../bench/load/scenario/read-scenario.ts';

describe('a histogram', () => {
  test('has percentiles within 0.8 % of those of all values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(1, 50, 95, 99, 100),
        (values, percent) => {
          const histogram = new Histogram();
          for (const value of values) histogram.add(value);
          const sorted = values.toSorted((one, other) => one - other);
          const exact = sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]!;
          const found = histogram.percentile(percent);
          // Values are kept in whole microseconds.
          expect(found).toBeGreaterThanOrEqual(exact - 0.001);
          expect(found).toBeLessThanOrEqual(exact * 1.008 + 0.001);
        },
      ),
    );
  });

  test('counts, and joins its values to columns', () => {
    const histogram = new Histogram();
    for (const value of [1, 1, 2, 400]) histogram.add(value);
    expect(histogram.count).toBe(4);
    expect(histogram.meanMilliseconds).toBe(101);
    expect(histogram.highestMilliseconds).toBe(400);
    const columns = histogram.columns(10);
    expect(columns.length).toBeLessThanOrEqual(10);
    expect(columns.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    histogram.clear();
    expect([histogram.count, histogram.percentile(50), histogram.columns(10)]).toEqual([0, 0, []]);
  });

  test('takes what is longer than an hour as that', () => {
    const histogram = new Histogram();
    histogram.add(1e12);
    expect(histogram.percentile(50)).toBeCloseTo(4_294_967, 0);
  });
});

describe('arrivals', () => {
  test.each<[Rate, number, number, number]>([
    [10, 0, 5, 50],
    [[[0, 10]], -5, 5, 100],
    // 0 to 100 a second within ten seconds, then level.
    [
      [
        [0, 0],
        [10, 100],
      ],
      0,
      10,
      500,
    ],
    [
      [
        [0, 0],
        [10, 100],
      ],
      0,
      12,
      700,
    ],
    [
      [
        [0, 0],
        [10, 100],
      ],
      5,
      10,
      375,
    ],
    [
      [
        [2, 4],
        [4, 0],
        [6, 4],
      ],
      0,
      8,
      8 + 4 + 4 + 8,
    ],
  ])('of the rate %j between %d and %d are %d', (rate, from, to, count) => {
    expect(arrivalsBetween(rate, from, to)).toBeCloseTo(count);
  });

  test('are due at their moments, however late they are looked for', async () => {
    const clock = [0, 0, 350, 350, 2_000];
    let last = 0;
    const due: number[] = [];
    await arrive(
      {
        rate: 10,
        startAt: 0,
        measuredFrom: 0,
        endAt: 1_000,
        signal: new AbortController().signal,
        now: () => {
          last = clock.shift() ?? last;
          return last;
        },
      },
      (dueAt) => due.push(Math.round(dueAt)),
    );
    expect(due).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  });

  test('end when the run is ended', async () => {
    let count = 0;
    const ended = AbortSignal.abort();
    await arrive(
      { rate: 10, startAt: 0, measuredFrom: 0, endAt: 1e12, signal: ended, now: () => 0 },
      () => (count += 1),
    );
    expect(count).toBe(0);
  });
});

describe('a recorder', () => {
  test('counts what was due within the measured time, whenever it ends', () => {
    let now = 0;
    const recorder = new Recorder(() => now);
    recorder.measure(1_000, 2_000);
    now = 2_500;
    recorder.done('get', 999);
    recorder.done('get', 1_500);
    recorder.done('get', 2_000);
    recorder.failed('get', 1_600, 'status 500');
    recorder.failed('get', 5, 'status 500');
    expect(recorder.latencies('get', 1)).toMatchObject({
      count: 1,
      p50: 1_000,
      max: 1_000,
      errors: { 'status 500': 1 },
    });
    recorder.endSecond(1);
    recorder.endSecond(2);
    expect(recorder.recorded()[0]!.points).toMatchObject([
      { second: 1, count: 1, errors: 1 },
      { second: 2, count: 0, errors: 0 },
    ]);
    expect(recorder.totals()).toEqual({ done: 1, failed: 1 });
  });

  test('keeps a bounded number of names and kinds', () => {
    const recorder = new Recorder(() => 0);
    recorder.measure(0, 1);
    for (let number = 0; number < 200; number += 1) recorder.failed(`name ${number}`, 0, 'one');
    for (let number = 0; number < 200; number += 1) recorder.failed('name 0', 0, `kind ${number}`);
    expect(recorder.names.length).toBeLessThanOrEqual(65);
    expect(Object.keys(recorder.latencies('name 0', 1).errors).length).toBeLessThanOrEqual(33);
    expect(recorder.totals().failed).toBe(400);
  });
});

test('the scenario in the documents is one, and those that come with the tool are', () => {
  const page = readFileSync(new URL('../../../docs/benchmarking/README.md', import.meta.url), 'utf8');
  const [, example] = /```json\n(.*?)```/s.exec(page)!;
  expect(parseScenario(example!, 'the example').parts).toHaveLength(2);
  for (const name of scenarioNames()) {
    expect(page).toContain(`\`${name}\``);
    expect(resized(readScenario(name), 0.1, 10).seconds).toBe(10);
  }
});
