/** Which values occur most in a period, such as languages and servers. */
import { z } from 'zod';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import * as dimensions from './dimensions.ts';
import { keptFigures } from './kept-figures.ts';
import type { Asked } from './measure.ts';
import { about, daysOf, period } from './period.ts';
import { nameOf } from './show-measures.ts';

export type { Share } from './dimensions.ts';

type Shares = readonly dimensions.Share[];

/** By their keys in the Mastodon API, in our spelling. */
const byKey = {
  languages: dimensions.languagesOfUsers,
  sources: dimensions.sourcesOfUsers,
  servers: dimensions.serversOfPosts,
  spaceUsage: dimensions.spaceUsage,
  softwareVersions: dimensions.softwareVersions,
  tagServers: dimensions.tagServersShares,
  tagLanguages: dimensions.tagLanguages,
  instanceAccounts: dimensions.instanceAccountsShares,
  instanceLanguages: dimensions.instanceLanguages,
} as const satisfies Record<string, (asked: Asked) => Generator<undefined, Shares> | Promise<Shares>>;

export type DimensionKey = keyof typeof byKey;
export const dimensionKeys = Object.keys(byKey) as [DimensionKey, ...DimensionKey[]];
export const sharesMax = 100;

export interface Dimension {
  readonly key: DimensionKey;
  /** The largest first. */
  readonly shares: Shares;
}

export const showDimensions = operation({
  input: period.extend({
    wanted: z.array(about.extend({ key: z.enum(dimensionKeys) })).max(dimensionKeys.length),
    limit: z.int().min(1).max(sharesMax),
  }),
  permission: 'viewDashboard',
  audit: reads,
  /** In the given order. Throws Failure notFound for an unknown hashtag, and validation. */
  run({ services }, { wanted, limit, ...given }): Promise<Dimension[]> {
    const days = daysOf(given);
    const kept = keptFigures(services);
    return Promise.all(
      wanted.map(async ({ key, ...of }): Promise<Dimension> => {
        const shares = await kept.get(`dimension ${key} ${days.first} ${days.last} ${nameOf(of)}`, async () => {
          const found = byKey[key]({ services, days, about: of });
          return found instanceof Promise ? found : services.slices.run<Shares>(found);
        });
        return { key, shares: shares.slice(0, limit) };
      }),
    );
  },
});
