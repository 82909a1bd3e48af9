/**
 * Reads of threads that own no partition: one snapshot per partition, through mmap, without a message. There is no
 * common point in time across partitions: a query skips a record that is missing there.
 *
 * INVARIANTS
 * 1. Reads are never older than a commit that the thread was informed of, nor than the beginning of the request:
 *    another thread may just have answered a write (measured: without this most such reads were stale).
 * 2. This holds for every partition, not only for the one whose commit was named: a commit may follow from others, as a
 *    mention follows from a status. Each snapshot is renewed at its first read after such news.
 * 3. No snapshot outlives its round of the event loop (lmdb-js ends it): reads after a pause are new in any case.
 */
import type { CommitPosition, Placement } from '../ports.ts';
import { readableCounters } from './counters.ts';
import type { Keyspace } from './keyspace.ts';
import { openLmdbReader } from './lmdb-log.ts';
import { StorageFailure, type StorageReader } from './log.ts';
import { meta } from './machine.ts';
import {
  type Entry,
  type MetDamage,
  type RangeQuery,
  type Reader,
  type ServerReader,
  SnapshotReader,
} from './reader.ts';

/** State shared by the readers of a thread. */
interface News {
  /** How often a newer state was announced. */
  count: number;
  /** How many reads were made. */
  reads: number;
}

/** Renews its snapshot when it is older than the latest news. */
class RenewedReader implements StorageReader {
  private readonly inner: StorageReader;
  private readonly news: News;
  private seen = -1;

  constructor(inner: StorageReader, news: News) {
    this.inner = inner;
    this.news = news;
  }

  get failures(): number {
    return this.inner.failures;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.news.reads += 1;
    if (this.seen !== this.news.count) this.refresh();
    return this.inner.get(key);
  }

  range(options: Parameters<StorageReader['range']>[0]): ReturnType<StorageReader['range']> {
    this.news.reads += 1;
    if (this.seen !== this.news.count) this.refresh();
    return this.inner.range(options);
  }

  refresh(): void {
    this.seen = this.news.count;
    this.inner.refresh();
  }
}

/** Precedes each stored record: its length, or this value where there is none. */
const lengthBytes = 4;
const absentLength = 0xffff_ffff;

const metaKey = meta.encode([0]);

export class Snapshots implements ServerReader {
  readonly placement: Placement;
  /** The reader of each partition, for partition-wide keyspaces. */
  readonly partitions: readonly SnapshotReader[];
  private readonly news: News = { count: 0, reads: 0 };
  /** The newest commit of each partition that the thread was informed of. */
  private readonly told: number[];
  private readonly readers: readonly StorageReader[];
  /** Of each partition: the failed reads when it was last asked whether it can be read. */
  private readonly failuresSeen: number[];
  private records = Buffer.alloc(0);

  /** `met`: see SnapshotReader. */
  constructor(
    placement: Placement,
    readers: readonly StorageReader[],
    met?: (damage: MetDamage, partition: number) => void,
  ) {
    this.placement = placement;
    this.readers = readers.map((reader) => new RenewedReader(reader, this.news));
    this.told = readers.map(() => 0);
    this.failuresSeen = readers.map(({ failures }) => failures);
    this.partitions = this.readers.map(
      (reader, partition) => new SnapshotReader(reader, met && ((damage) => met(damage, partition))),
    );
  }

  /** How many entries and ranges the thread has read. */
  get readCount(): number {
    return this.news.reads;
  }

  /**
   * For monitoring: false where the partition cannot be read now, or where a read of it failed since this was asked
   * last. A record that cannot be decoded was read.
   */
  isReadable(partition: number): boolean {
    const reader = this.readers[partition]!;
    try {
      reader.get(metaKey);
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
    }
    const before = this.failuresSeen[partition];
    this.failuresSeen[partition] = reader.failures;
    return reader.failures === before;
  }

  /** A request begins, or an announcement may have been lost: everything committed before now becomes visible. */
  beginReads(): this {
    this.news.count += 1;
    return this;
  }

  /** Another thread announced this commit or, without a position, some commit. */
  noteCommit(position?: CommitPosition): void {
    if (position !== undefined) {
      if (position.commit <= this.told[position.partition]!) return;
      this.told[position.partition] = position.commit;
    }
    this.news.count += 1;
  }

  /** The newest commit of each partition that is visible now; 0 where its counters cannot be read. */
  get commits(): number[] {
    return this.partitions.map((partition) => readableCounters(partition)?.commit ?? 0);
  }

  get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Key): Value | undefined {
    return this.holder(space, key).get(space, key);
  }

  /**
   * The stored bytes of the records under one key in several keyspaces: equal as long as none of them changes, so that
   * results computed from them can be cached. Valid until the next read of this kind.
   */
  stored<Key extends readonly unknown[]>(
    spaces: readonly Pick<Keyspace<Key, unknown>, 'slotOf' | 'encodeTransient'>[],
    key: Key,
  ): Buffer {
    let length = 0;
    for (const space of spaces) {
      const record = this.readers[this.placement.partitionOf(space.slotOf(key))]!.get(space.encodeTransient(key));
      const recordBytes = record?.byteLength ?? 0;
      const end = length + lengthBytes + recordBytes;
      if (end > this.records.length) this.records = Buffer.concat([this.records, Buffer.alloc(end)]);
      this.records.writeUInt32LE(record === undefined ? absentLength : recordBytes, length);
      if (record !== undefined) this.records.set(record, length + lengthBytes);
      length = end;
    }
    return this.records.subarray(0, length);
  }

  range<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    prefix: readonly unknown[],
    query?: RangeQuery,
  ): Generator<Entry<Key, Value>> {
    return this.holder(space, prefix).range(space, prefix, query);
  }

  /**
   * The entries of all actors of a slot, from this key on, for what is derived from all there is: those that cannot be
   * decoded are left out. Leave the loop soon.
   */
  slot<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    slot: number,
    from?: Key,
  ): Generator<Entry<Key, Value>> {
    return this.partitions[this.placement.partitionOf(slot)]!.slot(space, slot, from);
  }

  private holder<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    key: Key | readonly unknown[],
  ): Reader {
    if (space.partitionWide) throw new Error(`${space.name} is partition-wide: read it through one of the partitions`);
    return this.partitions[this.placement.partitionOf(space.slotOf(key))]!;
  }
}

export interface OpenSnapshots {
  readonly snapshots: Snapshots;
  close(): Promise<void>;
}

export function openSnapshots(
  placement: Placement,
  pathOf: (partition: number) => string,
  mapBytes: number,
  met?: (damage: MetDamage, partition: number) => void,
): OpenSnapshots {
  const readers = Array.from({ length: placement.partitions }, (_, number) =>
    openLmdbReader({ path: pathOf(number), mapBytes }),
  );
  return {
    snapshots: new Snapshots(placement, readers, met),
    close: async () => {
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}

/** Whether a read failed because the disk could not be read: the same read may succeed later. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof StorageFailure;
}
