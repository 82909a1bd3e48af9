/**
 * `npm run bench`: runs the scenarios and prints their figures.
 *
 *   npm run bench                  all but those that run when they are named, as published
 *   npm run bench -- home post     some
 *   npm run bench -- --quick       smaller and shorter, to see a tendency
 *   npm run bench -- growth --statuses 3000000
 *   npm run bench -- compare REF   this version beside the one of a commit
 *   npm run bench -- --profile     CPU profiles of what is measured, in bench/results
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { checkOut } from './compare/check-out.ts';
import { compareVersions } from './compare/compare-versions.ts';
import { openSamples } from './measure/samples.ts';
import type { Figure, Scenario } from './scenario.ts';
import { scenarios } from './scenarios/catalogue.ts';
import { cachedSeeds } from './seed/cache.ts';
import { type Size, sizes } from './sizes.ts';
import { tableOf } from './table.ts';

const resultsFolder = join(import.meta.dirname, 'results');

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, profile: { type: 'boolean' }, statuses: { type: 'string' } },
});

process.on('SIGINT', () => process.exit(130));
if (names[0] === 'compare') await compare(names[1]);
else await main();

async function main(): Promise<void> {
  const chosen = choose(names);
  const chosenSize: Size = flags.quick === true ? sizes.quick : sizes.full;
  const statuses = Number(flags.statuses ?? chosenSize.archive.statuses);
  const size = { ...chosenSize, archive: { ...chosenSize.archive, statuses } };
  const samples = openSamples(resultsFolder, size.name);
  const seeds = cachedSeeds((sentence) => console.log(sentence));
  const figures: Figure[] = [];
  for (const scenario of chosen) {
    const begunAt = performance.now();
    console.log(`${scenario.name}: ${scenario.summary}`);
    const profileFolder = flags.profile === true ? join(resultsFolder, 'profiles', scenario.name) : undefined;
    if (profileFolder !== undefined) mkdirSync(profileFolder, { recursive: true });
    const found = await scenario.run({ size, seeds, samples, profileFolder });
    for (const figure of found) samples.write({ scenario: scenario.name, kind: 'figure', ...figure });
    figures.push(...found);
    console.log(`${tableOf(found)}\n(${((performance.now() - begunAt) / 1000).toFixed(0)} s)\n`);
  }
  console.log(`${tableOf(figures)}\n\nRate limits are off. Raw samples: ${samples.path}`);
}

/** Throws where `ref` names no commit. */
async function compare(ref: string | undefined): Promise<void> {
  if (ref === undefined) throw new Error('compare takes a commit: npm run bench -- compare REF');
  const size = flags.quick === true ? sizes.quick : sizes.full;
  const samples = openSamples(resultsFolder, `compare-${size.name}`);
  const former = checkOut(ref);
  try {
    const figures = await compareVersions({ folder: former.folder, name: ref, size, samples });
    console.log(`${tableOf(figures)}\n\nRate limits are off. Raw samples: ${samples.path}`);
  } finally {
    former.remove();
  }
}

/** Throws for a name that no scenario has. */
function choose(wanted: readonly string[]): readonly Scenario[] {
  if (wanted.length === 0) return scenarios.filter(({ runsWhenNamed }) => runsWhenNamed !== true);
  return wanted.map((name) => {
    const scenario = scenarios.find((candidate) => candidate.name === name);
    if (scenario === undefined)
      throw new Error(`there is no scenario ${name}; there are ${scenarios.map((known) => known.name).join(', ')}`);
    return scenario;
  });
}
