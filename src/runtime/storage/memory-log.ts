/**
 * The in-memory twin of the LMDB log, for the simulator and for tests: the same promises, with every step in the hands
 * of its user. An append waits until `complete` or `fail`; `crash` forgets what was not complete.
 */
import { lowerBound } from './layer.ts';
import type { LogBatch, PartitionLog, RangeOptions, StorageEntry, StorageReader } from './log.ts';

export function bytesToKey(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Committed state: sorted keys beside a map; small enough for tests, ordered like LMDB (byte order). */
export class MemoryStore {
  private readonly entries = new Map<string, Uint8Array>();
  private sorted: string[] | undefined;

  apply(batch: LogBatch): void {
    for (let index = 0; index < batch.keys.length; index += 1) {
      const key = bytesToKey(batch.keys[index]!);
      const value = batch.values[index];
      if (value === undefined) this.entries.delete(key);
      else this.entries.set(key, Uint8Array.from(value));
    }
    this.sorted = undefined;
  }

  snapshot(): MemorySnapshot {
    this.sorted ??= [...this.entries.keys()].sort();
    return new MemorySnapshot(new Map(this.entries), this.sorted);
  }
}

class MemorySnapshot {
  private readonly entries: ReadonlyMap<string, Uint8Array>;
  private readonly sorted: readonly string[];

  constructor(entries: ReadonlyMap<string, Uint8Array>, sorted: readonly string[]) {
    this.entries = entries;
    this.sorted = sorted;
  }

  get(key: string): Uint8Array | undefined {
    return this.entries.get(key);
  }

  *range(options: RangeOptions): Generator<StorageEntry> {
    const start = bytesToKey(options.start);
    const end = bytesToKey(options.end);
    const keys = this.sorted.slice(lowerBound(this.sorted, start), lowerBound(this.sorted, end));
    if (options.reverse) keys.reverse();
    for (const key of keys.slice(0, options.limit ?? keys.length)) {
      yield { key: Buffer.from(key, 'latin1'), value: this.entries.get(key)! };
    }
  }
}

class MemoryReader implements StorageReader {
  private readonly store: MemoryStore;
  private current: MemorySnapshot;

  constructor(store: MemoryStore) {
    this.store = store;
    this.current = store.snapshot();
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.current.get(bytesToKey(key));
  }

  range(options: RangeOptions): Iterable<StorageEntry> {
    return this.current.range(options);
  }

  refresh(): void {
    this.current = this.store.snapshot();
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
  private pending: PendingAppend[] = [];

  constructor(store = new MemoryStore()) {
    this.store = store;
    this.reader = new MemoryReader(store);
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
    const append = this.pending.shift();
    if (append === undefined) throw new Error('no append is waiting');
    this.store.apply(append.batch);
    append.completed(undefined);
  }

  /** Fails the oldest append; `applied` tells whether it reached the disk all the same (an unknown outcome). */
  fail(error: Error, applied: boolean): void {
    const append = this.pending.shift();
    if (append === undefined) throw new Error('no append is waiting');
    if (applied) this.store.apply(append.batch);
    append.completed(error);
  }

  /** Power off: waiting appends are lost, or the first `applied` of them reached the disk without anybody knowing. */
  crash(applied: number): void {
    for (const append of this.pending.splice(0).slice(0, applied)) this.store.apply(append.batch);
  }

  reopen(): MemoryLog {
    return new MemoryLog(this.store);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
