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
