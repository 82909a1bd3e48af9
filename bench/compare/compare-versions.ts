/**
 * Two versions of the server in turn, on the same core and over the same fresh state: what a request costs this one, times what
 * it costs the other. Absolute figures of different hours cannot be compared; these ratios can.
 */
import { openRemoteSender, type RemoteSender } from '../load/remote/sender.ts';
import type { Samples } from '../measure/samples.ts';
import { median } from '../measure/statistics.ts';
import type { Figure } from '../scenario.ts';
import type { Size } from '../sizes.ts';
import { type Compared, compared } from './compared.ts';
import { openVersion, type Version } from './version.ts';

export interface Comparison {
  /** Of the other version, with its dependencies. */
  readonly folder: string;
  /** What the other version is called. */
  readonly name: string;
  readonly size: Size;
  readonly samples: Pick<Samples, 'write'>;
}

/** Throws where a version refuses a request. */
export async function compareVersions(comparison: Comparison): Promise<Figure[]> {
  const { comparedServers, comparePort } = comparison.size;
  const fleet: RemoteSender[] = [];
  const versions: Version[] = [];
  try {
    for (let index = 0; index < comparedServers; index += 1) fleet.push(await openRemoteSender(index, comparePort));
    for (const folder of [undefined, comparison.folder]) versions.push(await openVersion(folder, fleet));
    const figures: Figure[] = [];
    for (const each of compared) figures.push(await compare(each, versions[0]!, versions[1]!, comparison));
    return figures;
  } finally {
    for (const version of versions) await version.stop();
    for (const sender of fleet) sender.close();
  }
}

async function compare(
  { what, atMost, each, prepare }: Compared,
  ourVersion: Version,
  theirVersion: Version,
  { name, size, samples }: Comparison,
): Promise<Figure> {
  const [ours, theirs] = [await prepare(ourVersion, size), await prepare(theirVersion, size)];
  for (let before = 0; before < 2; before += 1) for (const measure of [ours, theirs]) await measure();
  const pairs: { readonly ours: number; readonly theirs: number }[] = [];
  for (let pair = 0; pair < size.pairs; pair += 1) {
    const theirsFirst = pair % 2 === 1 ? await theirs() : undefined;
    const cost = await ours();
    pairs.push({ ours: cost, theirs: theirsFirst ?? (await theirs()) });
  }
  for (const pair of pairs) samples.write({ scenario: 'compare', kind: 'pair', what, name, ...pair });
  const ratios = pairs.map((pair) => pair.ours / pair.theirs);
  const [cost, before] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.theirs))];
  return {
    what,
    measured: median(ratios),
    unit: `times the CPU of ${name}`,
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    target: { atMost },
    beside: `CPU ${cost.toFixed(1)} µs ${each}, ${before.toFixed(1)} µs`,
  };
}
