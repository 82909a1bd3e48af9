/** The number of threads of each role: from the options and, where these leave it open, from the number of cores. */
import { optionLimits } from './limits.ts';
import type { Options } from './table.ts';

type ThreadOptions = Pick<Options, 'gateways' | 'owners' | 'networkThreads' | 'partitions' | 'search'>;

/** How many threads a role wants. */
export type WantedThreads = (options: ThreadOptions, coreCount: number) => number;

export interface ThreadPlan<Role extends string = string> {
  /** Owners: at most one for each partition. */
  readonly counts: Readonly<Record<Role | 'owner', number>>;
  readonly partitions: number;
}

/** As the option says; 0 there: one thread for so many cores, and at least one. */
export function threadsByOption(
  option: Exclude<keyof ThreadOptions, 'partitions' | 'search'>,
  coresPerThread: number,
): WantedThreads {
  const byCores = (cores: number) =>
    Math.min(optionLimits.threadsOfAKindMax, Math.max(1, Math.floor(cores / coresPerThread)));
  return (options, cores) => options[option] || byCores(cores);
}

/** An existing data folder keeps its number of partitions; a new one gets at least two, so that all use channels. */
export function planThreads<Role extends string>(
  wanted: Readonly<Record<Role | 'owner', WantedThreads>>,
  options: ThreadOptions,
  coreCount: number,
  existingPartitions?: number,
): ThreadPlan<Role> {
  const entries = Object.entries<WantedThreads>(wanted).map(([role, count]) => [role, count(options, coreCount)]);
  const counts = Object.fromEntries(entries) as Record<Role | 'owner', number>;
  const partitions = existingPartitions ?? (options.partitions || Math.max(optionLimits.partitionsMin, counts.owner));
  return { counts: { ...counts, owner: Math.min(counts.owner, partitions) }, partitions };
}

/**
 * A sentence for the operator where an existing data folder keeps owners from using this machine: each partition is
 * written by one of them.
 */
export function adviceOnPartitions(wantedOwners: number, partitions: number): string | undefined {
  if (wantedOwners <= partitions) return undefined;
  return `The data folder has ${partitions} partitions, which ${partitions} threads write; this machine has use for ${wantedOwners}. To use all of it, stop the server and run: murmuration repartition ${wantedOwners}`;
}

/**
 * Threads in libuv's pool, one pool per process: it runs the LMDB commits of all owner threads, signing, and name
 * resolution. Computed before the data folder is known, whose partitions may bound the number of owners further.
 */
export function libraryThreads(owners: number): number {
  return 4 + 2 * owners + 2;
}
