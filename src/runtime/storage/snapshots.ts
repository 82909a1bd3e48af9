/**
 * Reading from threads that own nothing: one snapshot per partition, over mmap, without a message. There is no common
 * point in time across partitions: a record that is missing is skipped by the query, never an error.
 *
 * INVARIANTS
 * 1. Nothing is read that is older than a commit the thread was told of, or than the moment in which a request began: a
 *    write may just have been answered by another thread (measured: without this most such reads were stale).
 * 2. That holds for every partition, not only for the one that was told of: its commit may follow from those of others,
 *    as a mention follows from a status. Each snapshot is renewed at its first read from then on.
 * 3. No snapshot outlives its round of the event loop (lmdb-js ends it): after a pause without news it is new as well.
 */
import type { CommitPosition, Placement } from '../ports.ts';
import type { Keyspace } from './keyspace.ts';
import { openLmdbReader } from './lmdb-log.ts';
import type { StorageReader } from './log.ts';
import { meta } from './machine.ts';
import { type Entry, type RangeQuery, type Reader, type ServerReader, SnapshotReader } from './reader.ts';

/** Renews its snapshot where that is older than what the thread was told of last. */
/** What the readers of a thread share. */
interface News {
  /** How often there was something new to see. */
  count: number;
  /** How often something was read. */
  reads: number;
}

class RenewedReader implements StorageReader {
  private readonly inner: StorageReader;
  private readonly news: News;
  private seen = -1;

  constructor(inner: StorageReader, news: News) {
    this.inner = inner;
    this.news = news;
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

/** Before each stored record: its length, or this where there is none. */
const lengthBytes = 4;
const absentLength = 0xffff_ffff;

export class Snapshots implements ServerReader {
  readonly placement: Placement;
  /** The readers of the single partitions, for keyspaces that are partition-wide. */
  readonly partitions: readonly Reader[];
  private readonly news: News = { count: 0, reads: 0 };
  /** The newest commit of each partition that the thread was told of. */
  private readonly told: number[];
  private readonly readers: readonly StorageReader[];
  private records = Buffer.alloc(0);

  constructor(placement: Placement, readers: readonly StorageReader[]) {
    this.placement = placement;
    this.readers = readers.map((reader) => new RenewedReader(reader, this.news));
    this.told = readers.map(() => 0);
    this.partitions = this.readers.map((reader) => new SnapshotReader(reader));
  }

  /** How often the thread has read an entry or a range. */
  get readCount(): number {
    return this.news.reads;
  }

  /** A request begins, or news may have been lost: what was committed before now is seen. */
  beginReads(): this {
    this.news.count += 1;
    return this;
  }

  /** The thread was told of this commit, or, without a position, perhaps of any. */
  heardOf(position?: CommitPosition): void {
    if (position !== undefined) {
      if (position.commit <= this.told[position.partition]!) return;
      this.told[position.partition] = position.commit;
    }
    this.news.count += 1;
  }

  /** The newest commit of each partition that is seen now. */
  get commits(): number[] {
    return this.partitions.map((partition) => partition.get(meta, [0])?.commit ?? 0);
  }

  get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Key): Value | undefined {
    return this.holder(space, key).get(space, key);
  }

  /**
   * The records under one key in several keyspaces, as they are stored: the same bytes as long as none of them changes,
   * for whoever keeps what was made of them. Good until the next reading of this kind.
   */
  stored<Key extends readonly unknown[]>(
    spaces: readonly Pick<Keyspace<Key, unknown>, 'slotOf' | 'encode'>[],
    key: Key,
  ): Buffer {
    let length = 0;
    for (const space of spaces) {
      const record = this.readers[this.placement.partitionOf(space.slotOf(key))]!.get(space.encode(key));
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
): OpenSnapshots {
  const readers = Array.from({ length: placement.partitions }, (_, number) =>
    openLmdbReader({ path: pathOf(number), mapBytes }),
  );
  return {
    snapshots: new Snapshots(placement, readers),
    close: async () => {
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}
