/**
 * Divides the memory that the server may use: first what its threads need to work, the rest for their caches. Pages of
 * the database do not count: they are the system's cache, released when something else needs memory.
 */
import { optionLimits } from './limits.ts';
import type { Options } from './table.ts';
import type { ThreadPlan } from './threads.ts';

const megabyte = 1024 * 1024;

/** What a role needs of the memory (src/server/roles.ts). */
export interface RoleMemory {
  /** Of one thread without any cache, under load (measured: bench/README.md, soak). */
  readonly workingBytes: number;
  /** Parts of the rest that its threads have together for their caches, beside the parts below. */
  readonly cacheParts: number;
  /** The share of the whole that bodies of requests may take, which its threads receive: they come and go. */
  readonly bodyShare: number;
}

/** The same for the main thread and for a partition: decoded values, the fewest empty scopes, messages and frames. */
const mainWorkingBytes = 70 * megabyte;
const partitionWorkingBytes = 8 * megabyte;

/** Parts of the rest for home feeds and for memory of partitions; caches of threads get theirs beside them. */
const feedParts = 29;
const emptyScopesParts = 1;
const cacheBytesMin = 48 * megabyte;
const bodyBytesMin = 32 * megabyte;

/** By default: a quarter of the machine, within these bounds. */
const machineShare = 0.25;
const automaticBytesMax = 2_048 * megabyte;

/** A larger limit makes V8 collect later: this one suffices for a small server's gateway even under overload. */
const heapBytesMin = 512 * megabyte;
const heapShare = 0.5;

/** The part of one thread. */
export interface ThreadMemory {
  /** All its caches. */
  readonly cacheBytes: number;
  /** Bodies of requests that it receives at a time. */
  readonly bodyBytesMax: number;
}

export interface MemoryPlan<Role extends string = string> {
  /** The bound of the server, without pages of the database. */
  readonly totalBytes: number;
  /** Home feeds, per partition. */
  readonly feedBytes: number;
  /**
   * Empty scopes that a partition remembers (storage/empty-scopes.ts), in addition to the minimum of each partition.
   */
  readonly emptyScopesBytes: number;
  readonly threads: Readonly<Record<Role, ThreadMemory>>;
  /** The heap limit of a thread. */
  readonly heapBytesMax: number;
}

/** Throws an Error with a sentence for the operator when the memory is too small for the threads. */
export function planMemory<Role extends string>(
  roles: Readonly<Record<Role, RoleMemory>>,
  { memory }: Pick<Options, 'memory'>,
  { counts, partitions }: ThreadPlan<Role>,
  machineBytes: number,
): MemoryPlan<Role> {
  const rows = Object.entries<RoleMemory>(roles) as [Role, RoleMemory][];
  const sum = (of: (role: Role, needs: RoleMemory) => number) =>
    rows.reduce((total, [role, needs]) => total + of(role, needs), 0);
  const working =
    mainWorkingBytes +
    sum((role, { workingBytes }) => counts[role] * workingBytes) +
    partitions * partitionWorkingBytes;
  const least = Math.max(optionLimits.memoryMegabytesMin * megabyte, working + cacheBytesMin);
  const totalBytes =
    memory === 0 ? Math.max(least, Math.min(machineBytes * machineShare, automaticBytesMax)) : memory * megabyte;
  if (totalBytes < least)
    throw new Error(
      `MURMURATION_MEMORY is ${memory} MB, but these threads and partitions need at least ${Math.ceil(least / megabyte)} MB.`,
    );
  const part = (totalBytes - working) / (feedParts + emptyScopesParts + sum((_role, { cacheParts }) => cacheParts));
  const ofThreads = rows.map(([role, { cacheParts, bodyShare }]) => {
    const cacheBytes = counts[role] === 0 ? 0 : Math.floor((part * cacheParts) / counts[role]);
    const bodyBytes = Math.floor((totalBytes * bodyShare) / counts[role]);
    return [role, { cacheBytes, bodyBytesMax: bodyShare === 0 ? 0 : Math.max(bodyBytesMin, bodyBytes) }];
  });
  return {
    totalBytes,
    feedBytes: Math.floor((part * feedParts) / partitions),
    emptyScopesBytes: Math.floor((part * emptyScopesParts) / partitions),
    threads: Object.fromEntries(ofThreads) as MemoryPlan<Role>['threads'],
    heapBytesMax: Math.max(heapBytesMin, totalBytes * heapShare),
  };
}
