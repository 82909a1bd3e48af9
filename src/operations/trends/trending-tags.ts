/** The trending tags, with their use. */
import { z } from 'zod';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { publicEntries } from '../../actors/timelines.queries.ts';
import type { DayOfUse } from '../../actors/uses.queries.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import { operation } from '../operation.ts';
import { type Examined, keptTrends } from './kept-trends.ts';
import { Reviews } from './reviews.ts';
import { trendsIn } from './trend-scores.ts';

export interface TrendingTag {
  readonly name: string;
  readonly history: readonly DayOfUse[];
}

interface Trends extends Examined {
  readonly tags: readonly TrendingTag[];
}

const trends = member((services: Services) => keptTrends(services, () => services.slices.run(trendsOf(services))));

export const findTrendingTags = operation({
  input: z.object({ offset: z.int().min(0), limit: z.int().min(1) }),
  permission: 'look',
  async run({ services }, { offset, limit }): Promise<TrendingTag[]> {
    const reviews = new Reviews(services);
    const tags = reviews.areTrendsOn ? await tagCandidates(services) : [];
    return tags.filter(({ name }) => reviews.tag(name).isTrendable).slice(offset, offset + limit);
  },
});

/** Reviewed or not. */
export async function tagCandidates(services: Services): Promise<readonly TrendingTag[]> {
  return (await trends(services).get()).tags;
}

function* trendsOf(services: Services): Generator<undefined, Trends> {
  const { snapshots } = services;
  const { found, examined } = yield* trendsIn(snapshots, services.now(), {
    entries: (bounds) => publicEntries(snapshots, 'all', bounds),
    namesIn(statusId) {
      const { tags = [], importedFrom } = findStatusRecord(snapshots, statusId) ?? {};
      // What was written elsewhere is no use of a tag here.
      return importedFrom === undefined ? tags.map(({ name }) => name) : [];
    },
    accountsMin: 1,
  });
  const tags: TrendingTag[] = [];
  for (const { name } of found) {
    yield;
    tags.push({ name, history: yield* services.tagHistories.of(name) });
  }
  return { tags, examined };
}
