/** The caches of a thread share its memory and are measured together with their bounds. */
import { expect, test } from 'vitest';
import { allocateMetrics } from '../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { readMetrics } from '../../src/runtime/metrics/reading.ts';
import { type RoleName, roles } from '../../src/server/roles.ts';
import { type CacheName, Caches } from '../../src/services/caches.ts';

const bytes = 100_000_000;
const names: readonly CacheName[] = [
  ...([
    'statuses',
    'accounts',
    'accountFacts',
    'searchedAccounts',
    'viewers',
    'lists',
    'followedTags',
    'homeStatuses',
    'originals',
    'notifications',
    'conversations',
    'pages',
    'listOwners',
    'grants',
    'documents',
    'knownAccounts',
  ] as const),
  ...([
    'publicKeys',
    'privateKeys',
    'recentActivities',
    'activities',
    'deliveries',
    'credentials',
    'tagHistories',
    'failedFetches',
    'badMedia',
    'translations',
    'streamBuffers',
    'largeAnswers',
    'queuedDeliveries',
    'pushes',
    'queuedPushes',
    'mails',
    'queuedMails',
    'webhooks',
    'queuedWebhooks',
    'relayActors',
    'relaySeen',
    'relaySenders',
    'relayed',
    'queuedRelayed',
    'preparedRelayed',
  ] as const),
];

test.each(['gateway', 'network'] as const)('of a %s thread share exactly what the thread has for caches', (role) => {
  const caches = new Caches({ role, bytes });
  const sum = names.reduce((total, name) => total + caches.bytesMax(name), 0);
  expect(sum).toBeLessThanOrEqual(bytes);
  expect(sum).toBeGreaterThan(bytes - names.length);
});

test('each role that has caches has memory for them, and no other', () => {
  const withCaches = Object.keys(roles).filter((role) => {
    const caches = new Caches({ role, bytes });
    return names.some((name) => caches.bytesMax(name) > 0);
  });
  expect(withCaches).toEqual(Object.keys(roles).filter((role) => roles[role as RoleName].memory.cacheParts > 0));
});

test('what they hold stands in the table of metrics', () => {
  const metrics = new Metrics(allocateMetrics());
  const caches = new Caches({ role: 'gateway', bytes, metrics });
  caches.measure('grants', { bytes: 7 });
  metrics.sample();
  const families = readMetrics([{ title: 'gateway 0', memory: metrics.memory }]);
  const seriesOf = (name: string) => families.get(name)?.series.map(({ labels, value }) => [labels[1]?.[1], value]);
  expect(seriesOf('murmuration_cache_bytes')).toEqual([['grants', 7]]);
  expect(seriesOf('murmuration_cache_max_bytes')).toEqual([['grants', caches.bytesMax('grants')]]);
});
