/** Metrics written by one thread and read by another, across thread replacements and at the bounds. */
import { expect, test } from 'vitest';
import { allocateMetrics, metricsLimits } from '../../../src/runtime/metrics/layout.ts';
import { counter, gauge, histogram } from '../../../src/runtime/metrics/metric.ts';
import { Metrics } from '../../../src/runtime/metrics/metrics.ts';
import { readMetrics } from '../../../src/runtime/metrics/reading.ts';

const posts = counter({ name: 'posts', labels: ['visibility'], help: 'Posts' });
const guests = gauge({ name: 'guests', help: 'Guests' });
const waits = histogram({ name: 'wait', unit: 'seconds', help: 'Waits', buckets: [0.1, 1] });

function read(...memories: SharedArrayBuffer[]) {
  return readMetrics(memories.map((memory, index) => ({ title: `owner ${index}`, memory })));
}

test('values are read with their labels and the thread that measured them', () => {
  const [one, two] = [allocateMetrics(), allocateMetrics()];
  const metrics = new Metrics(one);
  metrics.counter(posts, 'public').add();
  metrics.counter(posts, 'public').add(2);
  metrics.counter(posts, 'direct').add();
  new Metrics(two).counter(posts, 'public').add(10);
  const { metric, series } = read(one, two).get('murmuration_posts_total')!;
  expect(metric).toEqual(posts);
  expect(series.map(({ labels, value }) => [...labels.map(([, text]) => text), value])).toEqual([
    ['owner 0', 'public', 3],
    ['owner 0', 'direct', 1],
    ['owner 1', 'public', 10],
  ]);
});

test.each([
  [0.05, [1, 0, 0]],
  [0.1, [1, 0, 0]],
  [0.2, [0, 1, 0]],
  [3, [0, 0, 1]],
])('a histogram counts %d in its bucket and adds it to the sum', (value, counts) => {
  const memory = allocateMetrics();
  new Metrics(memory).histogram(waits).observe(value);
  expect(read(memory).get('murmuration_wait_seconds')!.series).toMatchObject([{ counts, value }]);
});

test('the thread that follows goes on counting, and holds nothing yet', () => {
  const memory = allocateMetrics();
  const first = new Metrics(memory);
  first.counter(posts, 'public').add(5);
  first.gauge(guests).set(7);
  const second = new Metrics(memory);
  const held = () => read(memory).get('murmuration_guests')!.series[0]!.value;
  expect(held()).toBe(0);
  second.counter(posts, 'public').add();
  second.gauge(guests).set(2);
  expect(held()).toBe(2);
  expect(read(memory).get('murmuration_posts_total')!.series).toMatchObject([{ value: 6 }]);
});

test('what is sampled is read when it is asked for', () => {
  const memory = allocateMetrics();
  const metrics = new Metrics(memory);
  let count = 1;
  metrics.sampled(guests, [], () => count);
  count = 4;
  const held = () => read(memory).get('murmuration_guests')!.series[0]!.value;
  expect(held()).toBe(0);
  metrics.sample();
  expect(held()).toBe(4);
});

test.each([
  ['cells', (index: number) => String(index), metricsLimits.cellsMax],
  ['the directory', (index: number) => `${'x'.repeat(4_000)}${index}`, 100],
])('a series without room in %s is refused and counted, and harms no other', (_what, label, count) => {
  const memory = allocateMetrics();
  const metrics = new Metrics(memory);
  for (let index = 0; index < count; index += 1) metrics.counter(posts, label(index)).add();
  metrics.histogram(waits).observe(1);
  const families = read(memory);
  const series = families.get('murmuration_posts_total')!.series;
  expect(series.length).toBeGreaterThan(10);
  expect(new Set(series.map(({ value }) => value))).toEqual(new Set([1]));
  const [refused] = families.get('murmuration_metrics_series_refused')!.series;
  expect(refused!.value).toBe(
    count + 1 - series.length - (families.get('murmuration_wait_seconds')?.series.length ?? 0),
  );
  expect(refused!.value).toBeGreaterThan(0);
});
