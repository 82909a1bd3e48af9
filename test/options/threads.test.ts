import { expect, test } from 'vitest';
import { libraryThreads, planThreads } from '../../src/options/threads.ts';

const automatic = { gateways: 0, owners: 0, networkThreads: 0, partitions: 0 };

test.each([
  { cores: 1, gateways: 1, owners: 1, networkThreads: 1, partitions: 2 },
  { cores: 2, gateways: 1, owners: 1, networkThreads: 1, partitions: 2 },
  { cores: 8, gateways: 2, owners: 4, networkThreads: 1, partitions: 4 },
  { cores: 16, gateways: 4, owners: 8, networkThreads: 2, partitions: 8 },
  { cores: 512, gateways: 64, owners: 64, networkThreads: 64, partitions: 64 },
])('$cores cores', ({ cores, ...plan }) => {
  expect(planThreads(automatic, cores)).toEqual(plan);
});

test.each([
  { name: 'what is given counts', options: { gateways: 3, owners: 2, partitions: 6 }, owners: 2, partitions: 6 },
  {
    name: 'an owner without a partition is not started',
    options: { owners: 8, partitions: 3 },
    owners: 3,
    partitions: 3,
  },
  { name: 'a data folder keeps its partitions', options: { partitions: 9 }, existing: 4, owners: 4, partitions: 4 },
  { name: 'an old data folder bounds the owners', options: {}, existing: 2, owners: 2, partitions: 2 },
])('$name', ({ options, existing, owners, partitions }) => {
  expect(planThreads({ ...automatic, ...options }, 16, existing)).toMatchObject({ owners, partitions });
});

test.each([
  { cores: 2, owners: 0, expected: 8 },
  { cores: 16, owners: 0, expected: 22 },
  { cores: 2, owners: 3, expected: 12 },
])('$owners owners of $cores cores: $expected threads for the library', ({ cores, owners, expected }) => {
  expect(libraryThreads({ ...automatic, owners }, cores)).toBe(expected);
});
