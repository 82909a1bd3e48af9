/** Reading a partition's event log, for streams that resume. */
import { events } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { EventBatch } from './event.ts';

/** Commits from `commit` on, oldest first. `partition` names the one that `reader` reads. */
export function* eventsFrom(reader: Reader, partition: number, commit: number): Generator<EventBatch> {
  for (const { key, value } of reader.range(events, [], { from: commit })) {
    yield { partition, commit: key[0], events: value.events };
  }
}

/** The oldest commit whose events are kept; undefined when there are none. */
export function oldestEventCommit(reader: Reader): number | undefined {
  for (const { key } of reader.range(events, [], { limit: 1 })) return key[0];
  return undefined;
}
