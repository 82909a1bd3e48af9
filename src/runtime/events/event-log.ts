/** Reading a partition's event log, for streams that resume. */
import { events, meta, notCounted } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { EventBatch } from './event.ts';

const nothingTrimmed = { eventsTrimmedCommit: 0, eventsTrimmedIndex: 0 };

/** Commits from `commit` on, oldest first. `partition` is the one that `reader` reads. */
export function* eventsFrom(reader: Reader, partition: number, commit: number): Generator<EventBatch> {
  for (const { key, value } of reader.range(events, [], { from: commit })) {
    yield { partition, commit: key[0], events: value.events };
  }
}

/** Whether the log still holds every event after this one. */
export function reachesBack(reader: Reader, commit: number, index: number): boolean {
  const { eventsTrimmedCommit, eventsTrimmedIndex } = reader.get(meta, [0]) ?? nothingTrimmed;
  if (eventsTrimmedCommit !== notCounted)
    return eventsTrimmedCommit < commit || (eventsTrimmedCommit === commit && eventsTrimmedIndex <= index);
  // Earlier versions did not record how far they had trimmed: then this commit, or an older one, must still be there.
  for (const { key } of reader.range(events, [], { limit: 1 })) return key[0] <= commit;
  return false;
}
