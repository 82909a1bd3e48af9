/** How many threads of each kind a server runs: what the options say, and for what they leave open, by the cores. */
import { optionLimits } from './limits.ts';
import type { Options } from './table.ts';

export interface ThreadPlan {
  readonly gateways: number;
  /** Never more than there are partitions. */
  readonly owners: number;
  readonly networkThreads: number;
  readonly partitions: number;
}

type ThreadOptions = Pick<Options, 'gateways' | 'owners' | 'networkThreads' | 'partitions'>;

/**
 * Two cores run one thread of each kind, sixteen run 4 gateways, 8 owners and 2 network threads. The partitions of a
 * data folder that exists already are what they are; a new one gets at least two, so that every server uses channels.
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
 * Threads of libuv's pool, of which a process has one: it carries the LMDB commits of every owner thread, signing, and
 * name resolution. Counted before the data folder is known, whose partitions may bound the owners further.
 */
export function libraryThreads(options: ThreadOptions, coreCount: number): number {
  return 4 + 2 * planThreads(options, coreCount).owners + 2;
}
