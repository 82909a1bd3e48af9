/**
 * The local copy of a partition whose log is a stream: what the log has, applied. It may lag behind, and says in the same
 * transaction how far it has come.
 */
import { decodeRecord } from '../partition/undecodable.ts';
import type { LogBatch, LogRefusal, LogTail, PartitionLog } from '../storage/log.ts';
import { storedTail } from '../storage/log-state.ts';
import { meta, type PartitionMeta, type StreamPlace, startingMeta, streamPlace } from '../storage/machine.ts';
import type { ChainPlace } from './chain.ts';

/** A log of its own that nobody opens: its appends are not fenced. */
export type ViewStore = Pick<PartitionLog, 'reader' | 'append' | 'close'>;

const metaKey = Buffer.from(meta.encode([0]));
const placeKey = Buffer.from(streamPlace.encode([0]));

export interface Applied {
  readonly batch: LogBatch;
  readonly place: ChainPlace;
}

/** What a batch says about the counters of the partition, where it does. */
export function countersIn({ keys, values }: LogBatch): Pick<PartitionMeta, 'commit' | 'epoch'> | undefined {
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    const value = values[index];
    if (value !== undefined && Buffer.compare(keys[index]!, metaKey) === 0) return meta.value.decode(value);
  }
  return undefined;
}

export class StreamView {
  readonly store: ViewStore;

  constructor(store: ViewStore) {
    this.store = store;
  }

  /** Undefined where nothing of the stream was applied yet. Throws StorageFailure. */
  place(): StreamPlace | undefined {
    this.store.reader.refresh();
    const record = this.store.reader.get(placeKey);
    return record === undefined ? undefined : decodeRecord(streamPlace, record);
  }

  /** Where the partition stands. Throws StorageFailure. */
  tail(): LogTail {
    this.store.reader.refresh();
    return storedTail(this.store.reader);
  }

  /** Whether everything in the partition came from the stream. Throws StorageFailure. */
  isOf(place: StreamPlace | undefined): boolean {
    const { commit, epoch } = this.counters();
    if (place === undefined) return commit === 0 && epoch === 0;
    return commit === place.commit && epoch === place.epoch;
  }

  /** Applies batches in one transaction, with their place. */
  apply(applied: readonly Applied[], completed: (refusal: LogRefusal | undefined) => void): void {
    const keys = applied.flatMap(({ batch }) => batch.keys);
    const values = applied.flatMap(({ batch }) => batch.values);
    const { commit, epoch } = countersIn({ keys, values }) ?? this.counters();
    const { sequence, digest } = applied.at(-1)!.place;
    keys.push(placeKey);
    values.push(streamPlace.value.encode({ sequence, digest: Uint8Array.from(digest), commit, epoch }));
    this.store.append({ keys, values }, completed);
  }

  private counters(): Pick<PartitionMeta, 'commit' | 'epoch'> {
    this.store.reader.refresh();
    const record = this.store.reader.get(metaKey);
    return record === undefined ? startingMeta : decodeRecord(meta, record);
  }
}
