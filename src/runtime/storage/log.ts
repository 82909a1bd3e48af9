/**
 * The one way to make something durable: a partition's log. On one node the log is the LMDB commit
 * itself; a cluster puts a replicated log behind the same three calls.
 *
 * INVARIANTS
 * 1. A batch is applied whole or not at all, and batches in the order of their appends.
 * 2. `completed` is called once per append, after the batch is on disk (or with the error), never within `append`.
 * 3. The reader shows nothing of a batch that is not on disk, and all of it after `refresh`, which the partition calls
 *    after `completed`. Within one tick it stays on one state.
 */

/** The disk could not be read: the fault of no message, and nothing that was asked for is known. */
export class StorageFailure extends Error {
  constructor(cause: unknown) {
    super('the storage could not be read', { cause });
    this.name = 'StorageFailure';
  }
}

export interface StorageEntry {
  key: Uint8Array;
  value: Uint8Array;
}

export interface RangeOptions {
  /** First key of the range, included. */
  start: Uint8Array;
  /** First key after the range, excluded. */
  end: Uint8Array;
  /** Newest first. */
  reverse?: boolean;
  limit?: number;
}

/** A view of one partition's committed state. Whatever cannot be read throws StorageFailure. */
export interface StorageReader {
  /** The bytes may be reused by the next read: decode or copy them at once. */
  get(key: Uint8Array): Uint8Array | undefined;
  /** Finish or leave the loop soon: an open range pins pages of the file. */
  range(options: RangeOptions): Iterable<StorageEntry>;
  /** Moves on to the newest committed state. */
  refresh(): void;
}

/** Puts and deletes, in order; a value of undefined deletes. */
export interface LogBatch {
  readonly keys: readonly Uint8Array[];
  readonly values: readonly (Uint8Array | undefined)[];
}

export interface PartitionLog {
  readonly reader: StorageReader;
  append(batch: LogBatch, completed: (error: Error | undefined) => void): void;
  close(): Promise<void>;
}
