/** The trending tags, with their use: computed by each gateway every few minutes, when requested. */
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

const keptMilliseconds = 5 * 60 * 1000;

interface Found {
  /** By the monotonic clock. */
  readonly at: number;
  readonly tags: Promise<TrendingTag[]>;
}

const found = new WeakMap<Snapshots, Found>();

export const findTrendingTags = operation({
  input: z.object({ offset: z.int().min(0), limit: z.int().min(1) }),
  permission: 'look',
  async run({ services }, { offset, limit }): Promise<TrendingTag[]> {
    const known = found.get(services.snapshots);
    const isFresh = known !== undefined && known.at > services.monotonic() - keptMilliseconds;
    const tags = isFresh ? known.tags : findAgain(services);
    return (await tags).slice(offset, offset + limit);
  },
});

/** Concurrent callers wait for the same result. */
function findAgain(services: Services): Promise<TrendingTag[]> {
  const { snapshots } = services;
  const tags = (async () => services.slices.run(trendsAt(services, services.now())))().catch((error: unknown) => {
    found.delete(snapshots);
    throw error;
  });
  found.set(snapshots, { at: services.monotonic(), tags });
  return tags;
}

/** In slices (see TimeSlices). */
function* trendsAt(services: Services, at: number): Generator<undefined, TrendingTag[]> {
  const { snapshots } = services;
  const names = yield* trendingTags(snapshots, at, new Set(settingsOf(services).disallowedHashtags));
  const tags: TrendingTag[] = [];
  for (const name of names) {
    yield;
    tags.push({ name, history: yield* services.tagHistories.of(name) });
  }
  return tags;
}
