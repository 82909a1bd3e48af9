/**
 * The trending tags, with their use: computed by each gateway when requested, and kept the longer the more statuses were
 * examined: a second on a new server, five minutes on a busy one.
 */
import { z } from 'zod';
import type { TagDay } from '../../actors/tags.queries.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
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

interface Found {
  readonly trends: Promise<Trends>;
  /** By the monotonic clock. */
  keptUntil: number;
}

const found = new WeakMap<Snapshots, Found>();

export const findTrendingTags = operation({
  input: z.object({ offset: z.int().min(0), limit: z.int().min(1) }),
  permission: 'look',
  async run({ services }, { offset, limit }): Promise<TrendingTag[]> {
    const known = found.get(services.snapshots);
    const isKept = known !== undefined && services.monotonic() < known.keptUntil;
    const { tags } = await (isKept ? known : findAgain(services)).trends;
    const disallowed = new Set(settingsOf(services).disallowedHashtags);
    return tags.filter(({ name }) => !disallowed.has(name)).slice(offset, offset + limit);
  },
});

/** Concurrent callers wait for the same result. */
function findAgain(services: Services): Found {
  const { snapshots, slices } = services;
  const trends = (async () => slices.run(trendsAt(services, services.now())))();
  const result: Found = { trends, keptUntil: Number.POSITIVE_INFINITY };
  found.set(snapshots, result);
  const keep = ({ examined }: Trends) => {
    const milliseconds = Math.max(keptMillisecondsMin, examined * keptMillisecondsPerStatus);
    result.keptUntil = services.monotonic() + milliseconds;
  };
  trends.then(keep, () => found.delete(snapshots));
  return result;
}

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
