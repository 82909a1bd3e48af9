/**
 * The in-memory twin of the LMDB log, for the simulator and for tests: the same promises, with every step in the hands
 * of its user. An append waits until `complete` or `fail`; `crash` forgets what was not complete.
 */
import {
  type LogBatch,
  type PartitionLog,
  type RangeOptions,
  type StorageEntry,
  StorageFailure,
  type StorageReader,
} from '../../src/runtime/storage/log.ts';
import { SortedKeys } from './sorted-keys.ts';

export function bytesToKey(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The disk: committed state in byte order, like LMDB. Read directly, it shows the newest state. */
export class MemoryStore implements StorageReader {
  private readonly entries = new Map<string, Uint8Array>();
  private readonly sorted = new SortedKeys();
  private readonly snapshots = new Set<MemorySnapshot>();

  apply(batch: LogBatch): void {
    for (let index = 0; index < batch.keys.length; index += 1) {
      const key = bytesToKey(batch.keys[index]!);
      const value = batch.values[index];
      const before = this.entries.get(key);
      for (const snapshot of this.snapshots) snapshot.keep(key, before);
      if (value === undefined) {
        if (this.entries.delete(key)) this.sorted.delete(key);
      } else {
        if (before === undefined) this.sorted.add(key);
        this.entries.set(key, Uint8Array.from(value));
      }
    }
  }

  /** A backup of what is on disk now. */
  copy(): ReadonlyMap<string, Uint8Array> {
    return new Map(this.entries);
  }

  /** The disk is as it was when the copy was made. */
  restore(copy: ReadonlyMap<string, Uint8Array>): void {
    this.entries.clear();
    for (const [key, value] of copy) this.entries.set(key, value);
    this.sorted.replaceAll(copy.keys());
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.entries.get(bytesToKey(key));
  }

  *range(options: RangeOptions): Generator<StorageEntry> {
    for (const key of this.keysOf(options)) yield { key: Buffer.from(key, 'latin1'), value: this.entries.get(key)! };
  }

  refresh(): void {
    return;
  }

  /** A reader that stays on one state until it is refreshed. */
  snapshot(): MemorySnapshot {
    const snapshot = new MemorySnapshot(this);
    this.snapshots.add(snapshot);
    return snapshot;
  }

  release(snapshot: MemorySnapshot): void {
    this.snapshots.delete(snapshot);
  }

  /** The keys of a range, in its order. */
  keysOf({ start, end, reverse = false, limit = Number.POSITIVE_INFINITY }: RangeOptions): string[] {
    return this.sorted.between(bytesToKey(start), bytesToKey(end), limit, reverse);
  }
}

/** The newest state, without what was applied since the last refresh. */
export class MemorySnapshot implements StorageReader {
  private readonly store: MemoryStore;
  /** True while the disk cannot be read. */
  isUnreadable: (() => boolean) | undefined;
  private readonly before = new Map<string, Uint8Array | undefined>();
  private isClosed = false;

  constructor(store: MemoryStore) {
    this.store = store;
  }

  /** The store is about to change this entry. */
  keep(key: string, value: Uint8Array | undefined): void {
    if (!this.before.has(key)) this.before.set(key, value);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.assertReadable();
    if (this.before.size === 0) return this.store.get(key);
    const text = bytesToKey(key);
    return this.before.has(text) ? this.before.get(text) : this.store.get(key);
  }

  *range(options: RangeOptions): Generator<StorageEntry> {
    this.assertReadable();
    for (const text of this.before.size === 0 ? this.store.keysOf(options) : this.keysBefore(options)) {
      const key = Buffer.from(text, 'latin1');
      yield { key, value: this.get(key)! };
    }
  }

  refresh(): void {
    this.assertReadable();
    this.before.clear();
  }

  private assertReadable(): void {
    if (this.isClosed) throw new Error('the log is closed');
    if (this.isUnreadable?.()) throw new StorageFailure(new Error('EIO: i/o error, read'));
  }

  close(): void {
    this.isClosed = true;
    this.store.release(this);
  }

  private keysBefore({ start, end, reverse = false, limit }: RangeOptions): string[] {
    const first = bytesToKey(start);
    const last = bytesToKey(end);
    const kept = [...this.before.keys()].filter((key) => key >= first && key < last);
    const keys = [...new Set([...this.store.keysOf({ start, end }), ...kept])]
      .filter((key) => !this.before.has(key) || this.before.get(key) !== undefined)
      .sort();
    if (reverse) keys.reverse();
    return keys.slice(0, limit);
  }
}

interface PendingAppend {
  batch: LogBatch;
  completed: (error: Error | undefined) => void;
}

export class MemoryLog implements PartitionLog {
  readonly store: MemoryStore;
  readonly reader: StorageReader;
  /** Called when an append waits to be completed; the simulator decides when it is. */
  onAppend: (() => void) | undefined;
  private readonly snapshot: MemorySnapshot;
  private readonly pending: PendingAppend[] = [];

  constructor(store = new MemoryStore()) {
    this.store = store;
    this.snapshot = store.snapshot();
    this.reader = this.snapshot;
  }

  /** From now on each reading asks whether it fails. */
  failReads(isUnreadable: (() => boolean) | undefined): void {
    this.snapshot.isUnreadable = isUnreadable;
  }

  get waiting(): number {
    return this.pending.length;
  }

  append(batch: LogBatch, completed: (error: Error | undefined) => void): void {
    this.pending.push({ batch, completed });
    this.onAppend?.();
  }

  /** Makes the oldest append durable and says so. */
  complete(): void {
    const append = this.oldest();
    this.store.apply(append.batch);
    append.completed(undefined);
  }

  /** Fails the oldest append; `applied` tells whether it reached the disk all the same (an unknown outcome). */
  fail(error: Error, applied: boolean): void {
    const append = this.oldest();
    if (applied) this.store.apply(append.batch);
    append.completed(error);
  }

  /** Power off: waiting appends are lost, or the first `applied` of them reached the disk without anybody knowing. */
  crash(applied: number): void {
    for (const append of this.pending.splice(0).slice(0, applied)) this.store.apply(append.batch);
    this.store.release(this.snapshot);
  }

  close(): Promise<void> {
    this.snapshot.close();
    return Promise.resolve();
  }

  private oldest(): PendingAppend {
    const append = this.pending.shift();
    if (append === undefined) throw new Error('no append is waiting');
    return append;
  }
}
