/** Runs the views of a partition from a copy of its state and the later records of its log. */

import type { EventRecipients } from '../../src/runtime/events/event.ts';
import { eventsFrom } from '../../src/runtime/events/event-log.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import type { PartitionLog } from '../../src/runtime/storage/log.ts';
import { storedTail } from '../../src/runtime/storage/log-state.ts';
import { SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { MemoryStore } from './memory-log.ts';

export class Follower {
  readonly partition: number;
  readonly view: PartitionView;
  /** The recipients that the view returned, by commit. */
  readonly named: (readonly EventRecipients[])[] = [];
  private readonly store = new MemoryStore();
  private readonly reader = new SnapshotReader(this.store);

  constructor(partition: number, copy: ReadonlyMap<string, Uint8Array>, view: PartitionView) {
    this.partition = partition;
    this.view = view;
    this.store.restore(copy);
    view.opened(this.reader, this.position);
  }

  /** The position of its own copy. */
  get position(): number {
    return storedTail(this.store).position;
  }

  /** Applies the records appended to the log since. */
  async follow(log: Pick<PartitionLog, 'read'>): Promise<void> {
    for await (const record of log.read(this.position)) {
      this.store.apply(record);
      for (const batch of eventsFrom(this.reader, this.partition, record.position))
        this.named.push(this.view.committed(batch));
    }
  }
}
