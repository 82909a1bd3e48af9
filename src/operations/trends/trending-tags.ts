/**
 * The trending tags, with their use: computed by each gateway when requested, and kept the longer the more statuses were
 * examined: a second on a new server, five minutes on a busy one.
 */
import { z } from 'zod';
import type { TagDay } from '../../actors/tags.queries.ts';
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import { settingsOf } from '../instance/settings.ts';
import { operation } from '../operation.ts';
import { trendingTags } from './trend-scores.ts';

export interface TrendingTag {
  readonly name: string;
  readonly history: readonly TagDay[];
}

const keptMillisecondsMin = 1_000;
/** Some thousand times what it takes to examine a status. */
const keptMillisecondsPerStatus = 60;

interface Trends {
  readonly tags: readonly TrendingTag[];
  /** How many statuses were examined. */
  readonly examined: number;
}

const trends = member((services: Services) => {
  const compute = async () => services.slices.run(trendsAt(services, services.now()));
  const keptMilliseconds = ({ examined }: Trends) =>
    Math.max(keptMillisecondsMin, examined * keptMillisecondsPerStatus);
  return new KeptResult(services, compute, keptMilliseconds);
});

export const findTrendingTags = operation({
  input: z.object({ offset: z.int().min(0), limit: z.int().min(1) }),
  permission: 'look',
  async run({ services }, { offset, limit }): Promise<TrendingTag[]> {
    const { tags } = await trends(services).get();
    const disallowed = new Set(settingsOf(services).disallowedHashtags);
    return tags.filter(({ name }) => !disallowed.has(name)).slice(offset, offset + limit);
  },
});

/** In slices (see TimeSlices). */
function* trendsAt(services: Services, at: number): Generator<undefined, Trends> {
  const { snapshots } = services;
  const { names, examined } = yield* trendingTags(snapshots, at, new Set(settingsOf(services).disallowedHashtags));
  const tags: TrendingTag[] = [];
  for (const name of names) {
    yield;
    tags.push({ name, history: yield* services.tagHistories.of(name) });
  }
  return { tags, examined };
}
