/** The number of threads of each kind: from the options and, where these leave it open, from the number of cores. */
import { optionLimits } from './limits.ts';
import type { Options } from './table.ts';

export interface ThreadPlan {
  readonly gateways: number;
  /** At most the number of partitions. */
  readonly owners: number;
  readonly networkThreads: number;
  readonly partitions: number;
}

type ThreadOptions = Pick<Options, 'gateways' | 'owners' | 'networkThreads' | 'partitions'>;

/**
 * Two cores run one thread of each kind, sixteen run 4 gateways, 8 owners and 2 network threads. An existing data
 * folder keeps its number of partitions; a new one gets at least two, so that every server uses channels.
 */
export function planThreads(options: ThreadOptions, coreCount: number, existingPartitions?: number): ThreadPlan {
  const share = (divisor: number): number =>
    Math.min(optionLimits.threadsOfAKindMax, Math.max(1, Math.floor(coreCount / divisor)));
  const wantedOwners = options.owners || share(2);
  const partitions = existingPartitions ?? (options.partitions || Math.max(optionLimits.partitionsMin, wantedOwners));
  return {
    gateways: options.gateways || share(4),
    owners: Math.min(wantedOwners, partitions),
    networkThreads: options.networkThreads || share(8),
    partitions,
  };
}

/**
 * Threads in libuv's pool, one pool per process: it runs the LMDB commits of all owner threads, signing, and name
 * resolution. Computed before the data folder is known, whose partitions may bound the number of owners further.
 */
export function libraryThreads(options: ThreadOptions, coreCount: number): number {
  return 4 + 2 * planThreads(options, coreCount).owners + 2;
}
