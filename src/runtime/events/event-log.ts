/** Reading a partition's event log, for streams that resume. */
import { Failure } from '../errors.ts';
import { StorageFailure } from '../storage/log.ts';
import { type CommitEvents, eventRecords, events, meta, notCounted } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { EventBatch, LoggedEvent } from './event.ts';

const nothingTrimmed = { eventsTrimmedCommit: 0, eventsTrimmedIndex: 0 };

/**
 * Commits from `commit` on, oldest first. `partition` is the one that `reader` reads. Throws storageUnavailable where it
 * cannot be read.
 */
export function* eventsFrom(reader: Reader, partition: number, commit: number): Generator<EventBatch> {
  try {
    for (const { key, value } of reader.range(eventRecords, [], { from: commit }))
      yield { partition, commit: key[0], events: eventsOf(value) };
  } catch (cause) {
    throw cause instanceof StorageFailure ? new Failure('storageUnavailable', { cause }) : cause;
  }
}

/** In place of a damaged event, or of those of a damaged record: no version knows this kind of event. */
const unreadable: LoggedEvent = { event: 0, body: undefined };

function eventsOf(record: Uint8Array): readonly LoggedEvent[] {
  try {
    const { events: logged } = events.value.decode(record) as Partial<CommitEvents>;
    return Array.isArray(logged) ? logged.map((event: unknown) => (isEvent(event) ? event : unreadable)) : [unreadable];
  } catch {
    return [unreadable];
  }
}

function isEvent(value: unknown): value is LoggedEvent {
  return typeof value === 'object' && value !== null && typeof (value as Partial<LoggedEvent>).event === 'number';
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
