import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adviceOnPartitions, libraryThreads, planThreads } from '../../src/options/threads.ts';
import { wantedThreads } from '../../src/server/roles.ts';

const automatic = { gateways: 0, owners: 0, networkThreads: 0, partitions: 0, search: true };

test.each([
  { cores: 1, gateway: 1, owner: 1, network: 1, search: 1, partitions: 2 },
  { cores: 2, gateway: 1, owner: 1, network: 1, search: 1, partitions: 2 },
  { cores: 4, gateway: 1, owner: 2, network: 1, search: 1, partitions: 2 },
  { cores: 8, gateway: 2, owner: 4, network: 1, search: 1, partitions: 4 },
  { cores: 16, gateway: 4, owner: 8, network: 2, search: 1, partitions: 8 },
  { cores: 512, gateway: 64, owner: 64, network: 64, search: 1, partitions: 64 },
])('$cores cores', ({ cores, partitions, ...counts }) => {
  expect(planThreads(wantedThreads, automatic, cores)).toEqual({ counts, partitions });
});

test('the shares of threads stand in the README as they are planned', () => {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm);
  const stated = [...rows].map((row) => row.slice(1).map(Number));
  expect(stated.map(([cores]) => cores)).toEqual([2, 4, 8, 16]);
  for (const [cores, ...shares] of stated) {
    const { counts, partitions } = planThreads(wantedThreads, automatic, cores!);
    expect(shares).toEqual([counts.gateway, counts.owner, counts.network, partitions]);
  }
});

test.each([
  { made: 2, cores: 4, advice: undefined },
  {
    made: 2,
    cores: 8,
    advice: /has 2 partitions, which 2 threads write; .* use for 4\. .*: murmuration repartition 4$/,
  },
  { made: 2, cores: 16, advice: /murmuration repartition 8$/ },
  { made: 8, cores: 4, advice: undefined },
])('a folder of $made partitions on $cores cores', ({ made, cores, advice }) => {
  const told = adviceOnPartitions(wantedThreads.owner(automatic, cores), made);
  if (advice === undefined) expect(told).toBeUndefined();
  else expect(told).toMatch(advice);
});

test.each([
  { name: 'what is given counts', options: { gateways: 3, owners: 2, partitions: 6 }, owner: 2, partitions: 6 },
  {
    name: 'an owner without a partition is not started',
    options: { owners: 8, partitions: 3 },
    owner: 3,
    partitions: 3,
  },
  { name: 'a data folder keeps its partitions', options: { partitions: 9 }, existing: 4, owner: 4, partitions: 4 },
  { name: 'an old data folder bounds the owners', options: {}, existing: 2, owner: 2, partitions: 2 },
])('$name', ({ options, existing, owner, partitions }) => {
  const plan = planThreads(wantedThreads, { ...automatic, ...options }, 16, existing);
  expect(plan).toMatchObject({ counts: { owner }, partitions });
});

test.each([
  { cores: 2, owners: 0, expected: 8 },
  { cores: 16, owners: 0, expected: 22 },
  { cores: 2, owners: 3, expected: 12 },
])('$owners owners of $cores cores: $expected threads for the library', ({ cores, owners, expected }) => {
  expect(libraryThreads(wantedThreads.owner({ ...automatic, owners }, cores))).toBe(expected);
});
