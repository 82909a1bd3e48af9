/**
 * A partition on LMDB: one environment, one unnamed database, keys and values as bytes.
 *
 * `overlappingSync: false` makes an answer mean "on disk": by default lmdb-js shows a batch to readers some
 * milliseconds before it is flushed. `batch` makes the puts of one append one transaction; with `eventTurnBatching:
 * false` its promise is the only one of the commit, so that a failed commit leaves no rejection unhandled.
 */
import { constants } from 'node:os';
import { open, type RootDatabase } from 'lmdb';
import {
  isRefusal,
  type LogBatch,
  type LogRecord,
  LogRefusal,
  type LogTail,
  type PartitionLog,
  type RangeOptions,
  type StorageEntry,
  StorageFailure,
  type StorageReader,
  type TailAnswer,
} from './log.ts';
import { answered, barrier, isOpenedSince, storedTail } from './log-state.ts';

export interface LmdbOptions {
  path: string;
  /** Address space reserved at first, in bytes; LMDB grows it. */
  mapBytes: number;
  readOnly?: boolean;
  /** Called when LMDB abandoned a transaction that is now tried once more. */
  repeated?: ((cause: unknown) => void) | undefined;
}

/** For the files of this folder that read or write it. */
export function openDatabase(options: LmdbOptions): RootDatabase<Uint8Array, Uint8Array> {
  return open<Uint8Array, Uint8Array>({
    path: options.path,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    eventTurnBatching: false,
    maxReaders: 512,
    mapSize: options.mapBytes,
    readOnly: options.readOnly ?? false,
    cache: false,
  });
}

class LmdbReader implements StorageReader {
  failures = 0;
  private readonly database: RootDatabase<Uint8Array, Uint8Array>;

  constructor(database: RootDatabase<Uint8Array, Uint8Array>) {
    this.database = database;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    let bytes: Uint8Array | undefined;
    try {
      bytes = this.database.getBinaryFast(key as never);
    } catch (error) {
      throw this.failed(error);
    }
    // lmdb-js returns its one large buffer with `length` set by hand; all other properties describe the whole buffer.
    return bytes === undefined || bytes.byteLength === bytes.length ? bytes : bytes.subarray(0, bytes.length);
  }

  *range(options: RangeOptions): Generator<StorageEntry> {
    const query = rangeQueryOf(options);
    const entries = this.readable(() => this.database.getRange(query as never)[Symbol.iterator]());
    try {
      for (;;) {
        const next = this.readable(() => entries.next());
        if (next.done === true) return;
        yield next.value as StorageEntry;
      }
    } finally {
      entries.return?.();
    }
  }

  refresh(): void {
    this.readable(() => this.database.resetReadTxn());
  }

  private readable<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.failed(error);
    }
  }

  private failed(error: unknown): StorageFailure {
    this.failures += 1;
    return new StorageFailure(error);
  }
}

/**
 * The LMDB commits are the log, and the state is their result: no batch is kept beside it, so a follower begins with a
 * copy of the file. Only one append at a time is useful (`appendsUnderWayMax`): a second one would join the commit of
 * the first or wait for it, so that one batch's work would be split in two.
 *
 * Each append checks first whether the log was opened in a later epoch. The lock of the folder prevents that in
 * between.
 *
 * A transaction that fails inside LMDB is tried once more. lmdb-js keeps a list of free pages in memory and can fail
 * over it (docs/decisions/0032); a failed transaction writes nothing and discards that list. With several appends under
 * way a later one could be written before the repeated one.
 */
export class LmdbLog implements PartitionLog {
  readonly reader: StorageReader;
  private readonly database: RootDatabase<Uint8Array, Uint8Array>;
  private readonly repeated: ((cause: unknown) => void) | undefined;
  /** Infinite until it is opened, so that a repair of a folder that nobody serves is not fenced. */
  private epoch = Number.POSITIVE_INFINITY;

  constructor(options: LmdbOptions) {
    this.database = openDatabase(options);
    this.repeated = options.repeated;
    this.reader = new LmdbReader(this.database);
  }

  open(epoch: number, answer: TailAnswer): void {
    const found = this.stand();
    if (isRefusal(found)) answer(found);
    else if (found.epoch > epoch) answer(new LogRefusal('fenced'));
    else {
      this.epoch = epoch;
      if (found.epoch === epoch) answer(found);
      else this.commit(barrier(this.reader, epoch), (refusal) => answer(refusal ?? this.stand()));
    }
  }

  append(batch: LogBatch, completed: (refusal: LogRefusal | undefined) => void): void {
    const obstacle = this.obstacle();
    if (obstacle === undefined) this.commit(batch, completed);
    else setImmediate(completed, obstacle);
  }

  /** Final: a failed commit never appears later. */
  tail(answer: TailAnswer): void {
    const found = this.stand();
    const isFenced = !isRefusal(found) && found.epoch > this.epoch;
    answer(isFenced ? new LogRefusal('fenced') : found);
  }

  async *read(after: number): AsyncGenerator<LogRecord> {
    const found = this.stand();
    if (isRefusal(found)) throw found;
    if (after < found.position) throw new LogRefusal('truncated');
    yield* [];
  }

  /** Nothing is kept in any case. */
  truncate(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  private obstacle(): LogRefusal | undefined {
    try {
      return isOpenedSince(this.reader, this.epoch) ? new LogRefusal('fenced') : undefined;
    } catch (error) {
      if (error instanceof StorageFailure) return new LogRefusal('unknown', error);
      throw error;
    }
  }

  private stand(): LogTail | LogRefusal {
    return answered(() => {
      this.reader.refresh();
      return storedTail(this.reader);
    });
  }

  private commit(batch: LogBatch, completed: (refusal: LogRefusal | undefined) => void): void {
    const succeeded = () => completed(undefined);
    const failed = (cause: unknown) => completed(new LogRefusal(reasonFor(cause), cause));
    this.write(batch, succeeded, (cause) => {
      if (!isFailureOfLmdb(cause)) {
        failed(cause);
        return;
      }
      this.repeated?.(cause);
      this.write(batch, succeeded, failed);
    });
  }

  /** One transaction. */
  private write({ keys, values }: LogBatch, succeeded: () => void, failed: (cause: unknown) => void): void {
    const written = this.database.batch(() => {
      for (let index = 0; index < keys.length; index += 1) {
        const value = values[index];
        if (value === undefined) this.database.remove(keys[index]!);
        else this.database.put(keys[index]!, value);
      }
    });
    written.then(succeeded, (error: unknown) => void causeOf(error).then(failed));
  }
}

/** Errors for a full disk. LMDB reports EIO where the disk filled up in the middle of a write. */
const noRoomCodes: readonly unknown[] = [
  constants.errno.ENOSPC,
  constants.errno.EDQUOT,
  constants.errno.EFBIG,
  -30_792, // MDB_MAP_FULL
];

function reasonFor(cause: unknown): 'full' | 'unknown' {
  return noRoomCodes.includes(codeOf(cause)) ? 'full' : 'unknown';
}

/** MDB_KEYEXIST and those after it. Codes of the operating system are above 0. */
const lmdbCodes = { min: -30_799, max: -30_760 } as const;

/** Whether LMDB itself failed, which it does before it writes. */
function isFailureOfLmdb(cause: unknown): boolean {
  const code = codeOf(cause);
  const isOfLmdb = typeof code === 'number' && code >= lmdbCodes.min && code <= lmdbCodes.max;
  return isOfLmdb && reasonFor(cause) !== 'full';
}

function codeOf(cause: unknown): unknown {
  return (cause as { code?: unknown } | undefined)?.code;
}

/**
 * The cause of a failed commit. lmdb-js puts it into a second promise, `commitError`, which is rejected in the same
 * tick or never. It must be handled: an unhandled rejection ends the thread.
 */
function causeOf(error: unknown): Promise<unknown> {
  const reason = (error as { commitError?: Promise<never> } | null)?.commitError;
  const known = Promise.resolve(error);
  return reason === undefined ? known : Promise.race([reason, known]).catch((cause: unknown) => cause);
}

/** A reader for threads that do not own the partition; it sees the owner's commits after `refresh`. */
export function openLmdbReader(options: LmdbOptions): StorageReader & { close(): Promise<void> } {
  const database = openDatabase(options);
  const reader = new LmdbReader(database);
  return Object.assign(reader, { close: () => database.close() });
}

/** A range in the terms of lmdb-js. */
export function rangeQueryOf({ start, end, reverse = false, limit }: RangeOptions) {
  // For a reversed range LMDB swaps the bounds and includes the upper one, which ours excludes.
  const bounds = reverse
    ? { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true }
    : { start, end };
  return limit === undefined ? bounds : { ...bounds, limit };
}
