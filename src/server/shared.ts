/** The shared memory and settings that the main thread gives to every other thread. */

import type { RingMemory } from '../actors/partition/feed-rings.queries.ts';
import type { RateLimitMemory } from '../gateway/http/rate-limits.ts';
import type { MemoryPlan, ThreadMemory } from '../options/memory.ts';
import type { Options } from '../options/table.ts';
import type { ThreadPlan } from '../options/threads.ts';
import { type ClockShift, systemClock } from '../runtime/threads/clock.ts';
import type { CertificateTurn } from './listening/certificate-watch.ts';
import type { LogFile } from './log-output.ts';

export interface Shared {
  readonly options: Options;
  readonly logFile: LogFile;
  readonly plan: ThreadPlan;
  readonly memory: MemoryPlan;
  readonly dataDirectory: string;
  /** Of its partitions (partitions.ts). */
  readonly generation: number;
  /** In which the partitions are opened: decided before a thread starts, but perhaps after it was loaded. */
  readonly epochMemory: Float64Array;
  /** Until when this node of a cluster may serve, by the monotonic clock, unless its lease is renewed; without end for a server on its own. */
  readonly servesUntil: Float64Array;
  /** Home feeds: one memory per partition. */
  readonly ringMemory: readonly RingMemory[];
  readonly rateLimitMemory: RateLimitMemory | undefined;
  /** Of a server that does not go by the clock of the machine. */
  readonly clockShift: ClockShift | undefined;
  /** Of a server that speaks TLS. */
  readonly certificateTurn: CertificateTurn | undefined;
  /** False for a run of a single operator command. */
  readonly listening: boolean;
}

/** Whether this node of a cluster may answer, and show what its partitions have; always true on a server on its own. */
export function mayServe({ servesUntil }: Pick<Shared, 'servesUntil'>): boolean {
  return systemClock.monotonic() < servesUntil[0]!;
}

/** The part of a thread of this role. */
export function memoryOf({ memory }: Pick<Shared, 'memory'>, role: string): ThreadMemory {
  const ofRole = memory.threads[role];
  if (ofRole === undefined) throw new Error(`no memory is planned for the role ${role}`);
  return ofRole;
}

/** Statuses in a warm home feed (in the Mastodon API some hundreds). */
export const feedEntries = 400;
