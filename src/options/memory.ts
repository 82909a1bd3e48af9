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

/** Of the rest: for home feeds, for what partitions remember, and for the caches of gateway and network threads. */
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

export interface MemoryPlan {
  /** The bound of the server, without pages of the database. */
  readonly totalBytes: number;
  /** Home feeds, per partition. */
  readonly feedBytes: number;
  /** What actors are known to have nothing of, per partition, beyond what each partition has in any case. */
  readonly emptyScopesBytes: number;
  /** Caches, per thread. */
  readonly cacheBytes: Readonly<Record<'gateway' | 'network', number>>;
  /** Request bodies received by one gateway at a time. */
  readonly bodyBytesInFlightMax: number;
  /** The heap limit of a thread. */
  readonly heapBytesMax: number;
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
      `MURMURATION_MEMORY is ${memory} MB, and so many threads and partitions need ${Math.ceil(least / megabyte)} at least.`,
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
  };
}
