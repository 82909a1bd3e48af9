/** The counters of a partition, for threads that do not own it. */
import { DamagedEntry } from './damaged-entry.ts';
import { StorageFailure } from './log.ts';
import { meta, type PartitionMeta } from './machine.ts';
import type { Reader } from './reader.ts';

/** Undefined where there are none, and where they cannot be read or decoded: its owner reports that. */
export function readableCounters(reader: Reader): PartitionMeta | undefined {
  try {
    return reader.get(meta, [0]);
  } catch (error) {
    if (error instanceof StorageFailure || error instanceof DamagedEntry) return undefined;
    throw error;
  }
}
