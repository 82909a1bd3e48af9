/**
 * Divides the memory that the server may use: first what its threads need to work, the rest for their caches. Pages of
 * the database do not count: they are the system's cache, released when something else needs memory.
 */
import { optionLimits } from './limits.ts';
import type { Options } from './table.ts';
import type { ThreadPlan } from './threads.ts';

const megabyte = 1024 * 1024;

/** The memory of threads without any cache, under load (measured: bench/README.md, soak). */
const workingBytes = {
  main: 70 * megabyte,
  owner: 70 * megabyte,
  gateway: 120 * megabyte,
  network: 40 * megabyte,
  /** Decoded values for its turns, the fewest empty scopes, waiting messages and frames. */
  partition: 8 * megabyte,
} as const;

/** Shares of the rest: home feeds, memory of partitions, caches of gateways; network threads get what is left. */
const feedShare = 0.29;
const emptyScopesShare = 0.01;
const gatewayShare = 0.6;
const cacheBytesMin = 48 * megabyte;

/** Bodies of requests being received, which come and go besides the caches: a share of the whole, for all gateways. */
const bodyShare = 0.125;
const bodyBytesMin = 32 * megabyte;

/** By default: a quarter of the machine, within these bounds. */
const machineShare = 0.25;
const automaticBytesMax = 2_048 * megabyte;

/** A larger limit makes V8 collect later: this one suffices for a small server's gateway even under overload. */
const heapBytesMin = 512 * megabyte;
const heapShare = 0.5;

/**
 * The size of a gateway's young generation. V8 would let it grow to 48 MB, and a scavenge takes as long as there are
 * survivors: up to 7 ms of CPU beside long threads, 4 ms with this size. Half of it would make posts cost a tenth more
 * (measured: bench/README.md, neighbours).
 */
const gatewayYoungBytes = 24 * megabyte;

export interface MemoryPlan {
  /** The bound of the server, without pages of the database. */
  readonly totalBytes: number;
  /** Home feeds, per partition. */
  readonly feedBytes: number;
  /**
   * Empty scopes that a partition remembers (storage/empty-scopes.ts), in addition to the minimum of each partition.
   */
  readonly emptyScopesBytes: number;
  /** Caches, per thread. */
  readonly cacheBytes: Readonly<Record<'gateway' | 'network', number>>;
  /** Request bodies received by one gateway at a time. */
  readonly bodyBytesInFlightMax: number;
  /** The heap limit of a thread. */
  readonly heapBytesMax: number;
  /** The part of a gateway's heap that is collected often. */
  readonly gatewayYoungBytes: number;
}

/** Throws an Error with a sentence for the operator when the memory is too small for the threads. */
export function planMemory(
  { memory }: Pick<Options, 'memory'>,
  { owners, gateways, networkThreads, partitions }: ThreadPlan,
  machineBytes: number,
): MemoryPlan {
  const working =
    workingBytes.main +
    owners * workingBytes.owner +
    gateways * workingBytes.gateway +
    networkThreads * workingBytes.network +
    partitions * workingBytes.partition;
  const least = Math.max(optionLimits.memoryMegabytesMin * megabyte, working + cacheBytesMin);
  const totalBytes =
    memory === 0 ? Math.max(least, Math.min(machineBytes * machineShare, automaticBytesMax)) : memory * megabyte;
  if (totalBytes < least)
    throw new Error(
      `MURMURATION_MEMORY is ${memory} MB, but these threads and partitions need at least ${Math.ceil(least / megabyte)} MB.`,
    );
  const left = totalBytes - working;
  return {
    totalBytes,
    feedBytes: Math.floor((left * feedShare) / partitions),
    emptyScopesBytes: Math.floor((left * emptyScopesShare) / partitions),
    cacheBytes: {
      gateway: Math.floor((left * gatewayShare) / gateways),
      network: Math.floor((left * (1 - feedShare - emptyScopesShare - gatewayShare)) / networkThreads),
    },
    bodyBytesInFlightMax: Math.max(bodyBytesMin, Math.floor((totalBytes * bodyShare) / gateways)),
    heapBytesMax: Math.max(heapBytesMin, totalBytes * heapShare),
    gatewayYoungBytes,
  };
}
