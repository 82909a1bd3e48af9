/** The partitions of a data folder: their paths, and how threads that do not own them read them. */
import { evenPlacement } from '../runtime/placement.ts';
import type { Placement } from '../runtime/ports.ts';
import type { MetDamage } from '../runtime/storage/reader.ts';
import { type OpenSnapshots, openSnapshots } from '../runtime/storage/snapshots.ts';
import type { Thread } from '../runtime/threads/thread.ts';
import type { Shared } from './shared.ts';

/** Address space that an environment reserves at first; LMDB grows it. */
export const partitionMapBytes = 1024 * 1024 * 1024;

/**
 * `generation`: how often the number of partitions of the data folder was changed. During a change partitions of two
 * generations exist; the manifest names the one in use.
 */
export function partitionName(partition: number, generation: number): string {
  return generation === 0 ? `partition-${partition}` : `partition-${partition}-generation-${generation}`;
}

export function partitionPath(dataDirectory: string, partition: number, generation = 0): string {
  return `${dataDirectory}/${partitionName(partition, generation)}`;
}

/** The placement of a running server, for each of its threads. */
export function placementOf({ shared, counts }: Pick<Thread<Shared>, 'shared' | 'counts'>): Placement {
  return evenPlacement(shared.plan.partitions, counts, () => shared.epochMemory[0]!);
}

export function openPartitions(
  { dataDirectory, generation }: Pick<Shared, 'dataDirectory' | 'generation'>,
  placement: Placement,
  met?: (damage: MetDamage, partition: number) => void,
): OpenSnapshots {
  return openSnapshots(
    placement,
    (partition) => partitionPath(dataDirectory, partition, generation),
    partitionMapBytes,
    met,
  );
}
