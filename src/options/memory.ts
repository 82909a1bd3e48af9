/**
 * How the memory that the server may take for itself is shared out: what its threads need to work, and what is left for
 * their caches. Pages of the database do not count: they are the system's cache, which gives them up to whoever needs room.
 */
import { optionLimits } from './limits.ts';
import type { Options } from './table.ts';
import type { ThreadPlan } from './threads.ts';

const megabyte = 1024 * 1024;

/** What threads take without any cache, under load (measured: bench/README.md, soak). */
const workingBytes = {
  main: 70 * megabyte,
  owner: 70 * megabyte,
  gateway: 120 * megabyte,
  network: 40 * megabyte,
  /** Values that its turns remember, messages and frames that wait. */
  partition: 8 * megabyte,
} as const;

/** Of what is left: for home feeds, and for the caches of gateway and network threads. */
const feedShare = 0.3;
const gatewayShare = 0.6;
const cacheBytesMin = 48 * megabyte;

/** Bodies of requests that are being received, which come and go beside the caches: a part of all, for all gateways. */
const bodyShare = 0.125;
const bodyBytesMin = 32 * megabyte;

/** Without a choice of the operator: a quarter of the machine, within these. */
const machineShare = 0.25;
const automaticBytesMax = 2_048 * megabyte;

/** A heap that may grow further is collected later: this holds even a small server's gateway under overload. */
const heapBytesMin = 512 * megabyte;
const heapShare = 0.5;

export interface MemoryPlan {
  /** What the server keeps to, pages of the database left out. */
  readonly totalBytes: number;
  /** Home feeds of each partition. */
  readonly feedBytes: number;
  /** Caches of each thread. */
  readonly cacheBytes: Readonly<Record<'gateway' | 'network', number>>;
  /** Bodies that one gateway receives at a time. */
  readonly bodyBytesInFlightMax: number;
  /** Above this the heap of a thread is not let grow. */
  readonly heapBytesMax: number;
}

/** Throws an Error with a sentence for the operator when the memory is too little for the threads. */
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
    cacheBytes: {
      gateway: Math.floor((left * gatewayShare) / gateways),
      network: Math.floor((left * (1 - feedShare - gatewayShare)) / networkThreads),
    },
    bodyBytesInFlightMax: Math.max(bodyBytesMin, Math.floor((totalBytes * bodyShare) / gateways)),
    heapBytesMax: Math.max(heapBytesMin, totalBytes * heapShare),
  };
}
