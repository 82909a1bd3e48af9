/**
 * Scenarios of the bench, tiny: with the real server, generators and references, so that none of them rots. One of each
 * kind; `npm run test:long` runs them all.
 */
import { expect, test } from 'vitest';
import { compareVersions } from '../../bench/compare/compare-versions.ts';
import { projectFolder } from '../../bench/processes/server.ts';
import type { Scenario } from '../../bench/scenario.ts';
import { scenarios } from '../../bench/scenarios/catalogue.ts';
import { temporarySeeds } from '../../bench/seed/cache.ts';
import { sizes } from '../../bench/sizes.ts';
import { tableOf } from '../../bench/table.ts';
import { natsProgram } from '../support/nats-server.ts';

/** At least: most are run in the long suite only, where one that is missing is news, and one more is none. */
const figuresOfScenario: Record<string, number> = {
  status: 3,
  home: 3,
  'illustrated-home': 1,
  files: 3,
  photos: 2,
  'large-uploads': 3,
  lists: 4,
  'own-lists': 10,
  walk: 2,
  returning: 4,
  'changed-lists': 3,
  choosy: 1,
  growth: 10,
  neighbours: 16,
  townhall: 40,
  post: 5,
  'fan-out': 2,
  streaming: 4,
  deliveries: 1,
  push: 1,
  relay: 2,
  'relay-reception': 1,
  'bad-hosts': 3,
  inbound: 1,
  memory: 2,
  throughput: 4,
  overload: 3,
  start: 2,
  micro: 16,
  search: 6,
  'beside-search': 4,
  'beside-backup': 4,
  'beside-removal': 3,
  retention: 6,
  soak: 2,
  cluster: 13,
};

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
/** The others are made of what these are made of. */
const oneOfEachKind: readonly string[] = ['status', 'walk', 'fan-out', 'inbound', 'micro', 'search'];

test('each scenario is known here', () => {
  expect(scenarios.map(({ name }) => name)).toEqual(Object.keys(figuresOfScenario));
});

// because two servers in turn take twenty seconds: the long suite compares.
test.runIf(isLong)('two versions are compared', async () => {
  const samples: unknown[] = [];
  const write = (sample: unknown) => samples.push(sample);
  const figures = await compareVersions({
    folder: projectFolder,
    name: 'itself',
    size: sizes.tiny,
    samples: { write },
  });
  expect(figures.filter(({ measured }) => !Number.isFinite(measured))).toEqual([]);
  expect(samples).toHaveLength(figures.length);
});

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`The scenario of a cluster does not run: ${nats.missing}.`);
const canRun = ({ name }: Scenario) => name !== 'cluster' || nats.missing === undefined;

test.each(scenarios.filter(({ name }) => isLong || oneOfEachKind.includes(name)).filter(canRun))('$name', async ({
  name,
  run,
}) => {
  const samples: unknown[] = [];
  const context = { size: sizes.tiny, seeds: temporarySeeds(), profileFolder: undefined };
  const figures = await run({ ...context, samples: { write: (sample) => samples.push(sample) } });
  expect(figures.length).toBeGreaterThanOrEqual(figuresOfScenario[name]!);
  expect(new Set(figures.map(({ what }) => what)).size).toBe(figures.length);
  expect(figures.filter(({ measured }) => !Number.isFinite(measured))).toEqual([]);
  expect(samples.length).toBeGreaterThan(0);
  expect(tableOf(figures).split('\n')).toHaveLength(2 + figures.length);
});
