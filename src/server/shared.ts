/** What the main thread hands to every other thread of a run. */
import type { RateLimitMemory } from '../gateway/http/rate-limits.ts';
import type { Options } from '../options/table.ts';
import type { ThreadPlan } from '../options/threads.ts';
import type { RingMemory } from '../runtime/shared-rings.ts';

export interface Shared {
  readonly options: Options;
  readonly plan: ThreadPlan;
  readonly dataDirectory: string;
  /** Home feeds, one memory per partition. */
  readonly ringMemory: readonly RingMemory[];
  readonly rateLimitMemory: RateLimitMemory | undefined;
  /** False for a run that only carries out a command of the operator. */
  readonly listening: boolean;
}

export function partitionPath(dataDirectory: string, partition: number): string {
  return `${dataDirectory}/partition-${partition}`;
}

/** Address space that an environment reserves at first; LMDB grows it. */
export const partitionMapBytes = 1024 * 1024 * 1024;

/** Statuses that a warm home feed holds (behaviours of the Mastodon API: some hundreds). */
export const feedEntries = 400;
