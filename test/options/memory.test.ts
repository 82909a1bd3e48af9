/** The division of memory among threads and their caches. */
import { describe, expect, test } from 'vitest';
import { planMemory } from '../../src/options/memory.ts';
import { planThreads } from '../../src/options/threads.ts';
import { roleMemory, wantedThreads } from '../../src/server/roles.ts';

const megabyte = 1024 * 1024;
const gigabyte = 1024 * megabyte;
const automatic = { gateways: 0, owners: 0, networkThreads: 0, partitions: 0, search: true };

function planOf(memory: number, machineBytes: number, cores = 2) {
  const plan = planThreads(wantedThreads, automatic, cores);
  const planned = planMemory(roleMemory, { memory }, plan, machineBytes);
  const { feedBytes, emptyScopesBytes, threads } = planned;
  const caches =
    (feedBytes + emptyScopesBytes) * plan.partitions +
    threads.gateway.cacheBytes * plan.counts.gateway +
    threads.network.cacheBytes * plan.counts.network;
  return { ...planned, total: planned.totalBytes / megabyte, caches };
}

test.each([
  { what: 'a quarter of the machine', memory: 0, machine: 4 * gigabyte, cores: 2, total: 1_024 },
  { what: 'not more than it has use for', memory: 0, machine: 64 * gigabyte, cores: 2, total: 2_048 },
  { what: 'what the threads need on a small machine', memory: 0, machine: gigabyte, cores: 2, total: 404 },
  { what: 'more where there are more threads', memory: 0, machine: gigabyte, cores: 16, total: 1_342 },
  { what: 'what the operator says', memory: 700, machine: gigabyte, cores: 2, total: 700 },
])('$what', ({ memory, machine, cores, total }) => {
  expect(planOf(memory, machine, cores).total).toBe(total);
});

test.each([404, 512, 2_048, 8_192])('of %i MB what threads do not need is for caches, all of it', (memory) => {
  const { caches } = planOf(memory, gigabyte);
  const working = 356 * megabyte;
  expect(memory * megabyte - caches - working).toBeGreaterThanOrEqual(0);
  expect(memory * megabyte - caches - working).toBeLessThan(10);
});

describe('too little memory is refused', () => {
  test.each([
    { memory: 100, cores: 2, least: 404 },
    { memory: 403, cores: 2, least: 404 },
    { memory: 512, cores: 16, least: 1_342 },
  ])('$memory MB on $cores cores', ({ memory, cores, least }) => {
    expect(() => planOf(memory, gigabyte, cores)).toThrow(
      `MURMURATION_MEMORY is ${memory} MB, but these threads and partitions need at least ${least} MB.`,
    );
  });
});

test.each([
  { memory: 404, cores: 2, bodies: 50.5 },
  { memory: 2_048, cores: 2, bodies: 256 },
  { memory: 1_400, cores: 16, bodies: 43.75 },
])('bodies of requests may take an eighth of $memory MB on $cores cores, of which gateways have their parts', (given) => {
  const { threads } = planOf(given.memory, gigabyte, given.cores);
  expect(threads.gateway.bodyBytesMax / megabyte).toBeCloseTo(given.bodies, 1);
});
