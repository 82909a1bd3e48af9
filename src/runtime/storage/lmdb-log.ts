/**
 * A partition on LMDB: one environment, one unnamed database, keys and values as bytes.
 *
 * `overlappingSync: false` is what makes an answer mean "on disk": by default lmdb-js lets readers see a batch some
 * milliseconds before it is flushed. `batch` makes the puts of one append one transaction; `eventTurnBatching: false`
 * leaves it the only promise of its commit, so that a failed one rejects nothing that nobody looks at.
 */
import { open, type RootDatabase } from 'lmdb';
import {
  type LogBatch,
  type PartitionLog,
  type RangeOptions,
  type StorageEntry,
  StorageFailure,
  type StorageReader,
} from './log.ts';

export interface LmdbOptions {
  path: string;
  /** Bytes of address space to reserve at first; LMDB grows it. */
  mapBytes: number;
  readOnly?: boolean;
}

function openDatabase(options: LmdbOptions): RootDatabase<Uint8Array, Uint8Array> {
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

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StorageFailure(error);
  }
}

class LmdbReader implements StorageReader {
  private readonly database: RootDatabase<Uint8Array, Uint8Array>;

  constructor(database: RootDatabase<Uint8Array, Uint8Array>) {
    this.database = database;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    let bytes: Uint8Array | undefined;
    try {
      bytes = this.database.getBinaryFast(key as never);
    } catch (error) {
      throw new StorageFailure(error);
    }
    // lmdb-js gives its one large buffer with `length` set by hand; everything else about it tells the size of the whole.
    return bytes === undefined || bytes.byteLength === bytes.length ? bytes : bytes.subarray(0, bytes.length);
  }

  *range(options: RangeOptions): Generator<StorageEntry> {
    const { start, end, reverse = false, limit } = options;
    // Reversed, LMDB wants the bounds the other way round with the upper one included: our upper bound is excluded.
    const bounds = reverse
      ? { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true }
      : { start, end };
    const query = limit === undefined ? bounds : { ...bounds, limit };
    const entries = readable(() => this.database.getRange(query as never)[Symbol.iterator]());
    try {
      for (;;) {
        const next = readable(() => entries.next());
        if (next.done === true) return;
        yield next.value as unknown as StorageEntry;
      }
    } finally {
      entries.return?.();
    }
  }

  refresh(): void {
    readable(() => this.database.resetReadTxn());
  }
}

export class LmdbLog implements PartitionLog {
  readonly reader: StorageReader;
  private readonly database: RootDatabase<Uint8Array, Uint8Array>;

  constructor(options: LmdbOptions) {
    this.database = openDatabase(options);
    this.reader = new LmdbReader(this.database);
  }

  append(batch: LogBatch, completed: (error: Error | undefined) => void): void {
    const { keys, values } = batch;
    const written = this.database.batch(() => {
      for (let index = 0; index < keys.length; index += 1) {
        const value = values[index];
        if (value === undefined) this.database.remove(keys[index]!);
        else this.database.put(keys[index]!, value);
      }
    });
    written.then(
      () => completed(undefined),
      (error: unknown) => void causeOf(error).then((cause) => completed(new Error('the commit failed', { cause }))),
    );
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}

/**
 * What made a commit fail. lmdb-js keeps it in a second promise, `commitError`, which is rejected in the same tick or not
 * at all, and must be looked at: a rejection nobody handles ends the thread.
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
