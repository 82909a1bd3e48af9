/** Reading a partition's event log, for streams that resume. */
import { Failure } from '../errors.ts';
import { StorageFailure } from '../storage/log.ts';
import { eventRecords, meta, notCounted } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { EventBatch } from './event.ts';
import { readEvents } from './event-record.ts';

const nothingTrimmed = { eventsTrimmedCommit: 0, eventsTrimmedIndex: 0 };

/**
 * Commits from `commit` on, oldest first. `partition` is the one that `reader` reads; `damageMet` gets the keys of
 * damaged records, for its owner. Throws storageUnavailable where it cannot be read.
 */
export function* eventsFrom(
  reader: Reader,
  partition: number,
  commit: number,
  damageMet?: (key: Uint8Array) => void,
): Generator<EventBatch> {
  try {
    for (const { key, value } of reader.range(eventRecords, [], { from: commit })) {
      const { events, damage } = readEvents(value);
      if (damage !== undefined) damageMet?.(eventRecords.encode(key));
      yield { partition, commit: key[0], events };
    }
  } catch (cause) {
    throw cause instanceof StorageFailure ? new Failure('storageUnavailable', { cause }) : cause;
  }
}

/** Whether the log still holds every event after this one. */
export function reachesBack(reader: Reader, commit: number, index: number): boolean {
  const { eventsTrimmedCommit, eventsTrimmedIndex } = reader.get(meta, [0]) ?? nothingTrimmed;
  if (eventsTrimmedCommit !== notCounted)
    return eventsTrimmedCommit < commit || (eventsTrimmedCommit === commit && eventsTrimmedIndex <= index);
  // Earlier versions did not record how far they had trimmed: then this commit, or an older one, must still be there.
  for (const { key } of reader.range(eventRecords, [], { limit: 1 })) return key[0] <= commit;
  return false;
}
