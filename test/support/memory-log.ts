/**
 * The in-memory counterpart of the LMDB log, for the simulator and for tests: the same guarantees, with every step
 * controlled by its user. An append waits until `complete` or `refuse`; `crash` discards incomplete appends. Unlike
 * LMDB it takes several appends at a time, and can keep its records for followers.
 */
import {
  type LogBatch,
  type LogRecord,
  LogRefusal,
  type LogRefusalReason,
  type LogTail,
  type PartitionLog,
  type RangeOptions,
  type StorageEntry,
  StorageFailure,
  type StorageReader,
  type TailAnswer,
} from '../../src/runtime/storage/log.ts';
import { answered, barrier, isOpenedSince, storedTail } from '../../src/runtime/storage/log-state.ts';
import { SortedKeys } from './sorted-keys.ts';

export function bytesToKey(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The disk: committed state in byte order, like LMDB. Read directly, it shows the newest state. */
export class MemoryStore implements StorageReader {
  readonly failures = 0;
  private readonly entries = new Map<string, Uint8Array>();
  private readonly sorted = new SortedKeys();
  private readonly snapshots = new Set<MemorySnapshot>();
  /** The batches after that position; undefined where none are kept, as on LMDB. */
  private kept: { after: number; records: LogRecord[] } | undefined;

  /** Keeps batches from now on, for readers of the log. */
  keepRecords(): void {
    this.kept = { after: storedTail(this).position, records: [] };
  }

  /** Applies a batch of the log. */
  append(batch: LogBatch): void {
    this.apply(batch);
    this.kept?.records.push({ ...storedTail(this), ...batch });
  }

  /** Throws the refusal where some of them are no longer kept. */
  recordsAfter(position: number): readonly LogRecord[] {
    const { after, records } = this.kept ?? { after: storedTail(this).position, records: [] };
    if (position < after) throw new LogRefusal('truncated');
    return records.filter((record) => record.position > position);
  }

  truncate(position: number): void {
    const { kept } = this;
    if (kept === undefined || position <= kept.after) return;
    kept.after = Math.min(position, storedTail(this).position);
    kept.records = kept.records.filter((record) => record.position > kept.after);
  }

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

  /** A backup of the current state. */
  copy(): ReadonlyMap<string, Uint8Array> {
    return new Map(this.entries);
  }

  /** Restores a backup. */
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

/** A view that omits everything applied since its last refresh. */
export class MemorySnapshot implements StorageReader {
  failures = 0;
  private readonly store: MemoryStore;
  /** True while the disk cannot be read. */
  isUnreadable: (() => boolean) | undefined;
  private readonly before = new Map<string, Uint8Array | undefined>();
  private isClosed = false;

  constructor(store: MemoryStore) {
    this.store = store;
  }

  /** Called before the store changes this entry. */
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
    if (this.isUnreadable?.() !== true) return;
    this.failures += 1;
    throw new StorageFailure(new Error('EIO: i/o error, read'));
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
  completed: (refusal: LogRefusal | undefined) => void;
}

export class MemoryLog implements PartitionLog {
  readonly store: MemoryStore;
  readonly reader: StorageReader;
  /** Called when an append waits for completion; the simulator decides when that is. */
  onAppend: (() => void) | undefined;
  /** Receives the answers to `open` and `tail`, to be given later. */
  onQuestion: ((answer: () => void) => void) | undefined;
  /** True while it answers no question. */
  isUnreachable: (() => boolean) | undefined;
  private epoch = 0;
  private readonly snapshot: MemorySnapshot;
  private readonly pending: PendingAppend[] = [];
  /** Batches that were refused as unknown and may still reach the disk. */
  private late: LogBatch[] = [];

  constructor(store = new MemoryStore()) {
    this.store = store;
    this.snapshot = store.snapshot();
    this.reader = this.snapshot;
  }

  /** Makes reads fail while `isUnreadable` is true. */
  failReads(isUnreadable: (() => boolean) | undefined): void {
    this.snapshot.isUnreadable = isUnreadable;
  }

  get waiting(): number {
    return this.pending.length;
  }

  open(epoch: number, answer: TailAnswer): void {
    this.ask(answer, (found) => {
      if (found.epoch > epoch) return new LogRefusal('fenced');
      this.epoch = epoch;
      if (found.epoch < epoch) this.store.append(barrier(this.store, epoch));
      return this.stand();
    });
  }

  tail(answer: TailAnswer): void {
    this.ask(answer, (found) => (found.epoch > this.epoch ? new LogRefusal('fenced') : found));
  }

  append(batch: LogBatch, completed: (refusal: LogRefusal | undefined) => void): void {
    this.pending.push({ batch, completed });
    this.onAppend?.();
  }

  async *read(after: number): AsyncGenerator<LogRecord> {
    yield* this.store.recordsAfter(after);
  }

  async truncate(position: number): Promise<void> {
    this.store.truncate(position);
  }

  /** Completes the oldest append. Refuses it where the log was opened since, or its state cannot be decoded. */
  complete(): void {
    try {
      if (isOpenedSince(this.store, this.epoch)) {
        this.refuse('fenced');
        return;
      }
    } catch (error) {
      this.refuse('unknown', 0, error);
      return;
    }
    const append = this.pending.shift();
    if (append === undefined) throw new Error('no append is waiting');
    this.store.append(append.batch);
    append.completed(undefined);
  }

  /**
   * Refuses the oldest append and those behind it. If the outcome is unknown, `applied` of them reach the disk anyway,
   * at the latest moment that is allowed.
   */
  refuse(reason: LogRefusalReason, applied = 0, cause: unknown = new Error('the disk is at fault')): void {
    const refused = this.pending.splice(0);
    if (refused.length === 0) throw new Error('no append is waiting');
    this.late = refused.slice(0, applied).map(({ batch }) => batch);
    for (const { completed } of refused) completed(new LogRefusal(reason, cause));
  }

  /** A crash: waiting appends are lost, except the first `applied`, which have reached the disk unnoticed. */
  crash(applied: number): void {
    const waiting = [...this.late, ...this.pending.splice(0).map(({ batch }) => batch)];
    if (applied > 0 && !isOpenedSince(this.store, this.epoch))
      for (const batch of waiting.slice(0, applied)) this.store.append(batch);
    this.late = [];
    this.store.release(this.snapshot);
  }

  close(): Promise<void> {
    this.snapshot.close();
    return Promise.resolve();
  }

  private ask(answer: TailAnswer, reply: (found: LogTail) => LogTail | LogRefusal): void {
    const give = () => answer(this.isUnreachable?.() ? new LogRefusal('unknown') : answered(() => reply(this.found())));
    if (this.onQuestion === undefined) give();
    else this.onQuestion(give);
  }

  /** The tail, once no append is pending. */
  private found(): LogTail {
    if (!isOpenedSince(this.store, this.epoch)) for (const batch of this.late) this.store.append(batch);
    this.late = [];
    return this.stand();
  }

  private stand(): LogTail {
    this.reader.refresh();
    return storedTail(this.reader);
  }
}
