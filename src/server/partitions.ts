/** The partitions of a data folder: where each lies, and how the threads that do not own them read them. */
import type { Placement } from '../runtime/ports.ts';
import { type OpenSnapshots, openSnapshots } from '../runtime/storage/snapshots.ts';
import type { Shared } from './shared.ts';

/** Address space that an environment reserves at first; LMDB grows it. */
export const partitionMapBytes = 1024 * 1024 * 1024;

export function partitionPath(dataDirectory: string, partition: number): string {
  return `${dataDirectory}/partition-${partition}`;
}

export function openPartitions({ dataDirectory }: Shared, placement: Placement): OpenSnapshots {
  return openSnapshots(placement, (partition) => partitionPath(dataDirectory, partition), partitionMapBytes);
}
