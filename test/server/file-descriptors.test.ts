/** A low limit of file descriptors is told at the start, and running out of them while it lasts. */
import { expect, test } from 'vitest';
import { allocateMetrics } from '../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { readMetrics } from '../../src/runtime/metrics/reading.ts';
import {
  adviceOnDescriptors,
  DescriptorWatch,
  descriptorLimits,
  descriptorsAllowed,
  descriptorsOpen,
} from '../../src/server/file-descriptors.ts';

test.each([
  ['Max open files            64                   1048576              files', 64],
  ['Max open files            unlimited            unlimited            files', undefined],
  ['', undefined],
])('%j allows %s', (limits, max) => {
  expect(descriptorsAllowed(`Max processes  1 2 processes\n${limits}\nMax pending signals 3`)).toBe(max);
});

test.each([
  [64, /allows this process 64 open files and connections/],
  [descriptorLimits.fewMax, undefined],
  [undefined, undefined],
])('where %s are allowed the start says: %s', (max, advice) => {
  const told = adviceOnDescriptors(max);
  if (advice === undefined) expect(told).toBeUndefined();
  else expect(told).toMatch(advice);
});

test('running out of them is counted at each look, and reported once a minute with how often it was seen', () => {
  const metrics = new Metrics(allocateMetrics());
  const told: string[] = [];
  let [used, now] = [100, 0];
  const watch = new DescriptorWatch(metrics, 256, {
    open: () => used,
    monotonic: () => now,
    report: ({ message }) => void told.push(message),
  });
  watch.look();
  expect(told).toEqual([]);
  used = 230;
  for (let look = 0; look <= 60; look += 1) {
    watch.look();
    now += 1_000;
  }
  expect(told).toEqual([
    expect.stringMatching(/^230 of 256 file descriptors are in use, in 1 of/),
    expect.stringMatching(/^230 of 256 file descriptors are in use, in 60 of/),
  ]);
  const families = readMetrics([{ title: 'main', memory: metrics.memory }]);
  const shown = (name: string) => families.get(name)?.series[0]?.value;
  expect(shown('murmuration_file_descriptors_exhausted_total')).toBe(61);
  expect([shown('murmuration_file_descriptors'), shown('murmuration_file_descriptors_max')]).toEqual([230, 256]);
});

// because only Linux lists them
test.runIf(process.platform === 'linux')('those of this process are found', () => {
  const max = descriptorsAllowed() ?? Number.POSITIVE_INFINITY;
  expect(descriptorsOpen(max)).toBeGreaterThan(2);
  expect(descriptorsOpen(max)).toBeLessThan(max);
});
