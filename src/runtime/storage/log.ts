/**
 * A partition's log: the only way to make something durable. On one node the log is the LMDB commit itself; a cluster
 * would put a replicated log behind the same interface. An owner opens the log in an epoch, and whoever opens it in a
 * later epoch fences the earlier owner off.
 *
 * INVARIANTS
 * 1. A batch is applied whole or not at all, in the order of the appends. A refused append takes all later ones with
 *    it: they are refused too, and nothing more is accepted before `tail` has answered.
 * 2. `completed` is called once per append, in order, after the batch is on disk (or with the refusal), and never
 *    during `append`. `open` and `tail` may answer at once.
 * 3. The reader shows nothing of a batch that is not on disk, and all of it after `refresh`, which the partition calls
 *    after `completed`. Within one tick it stays on one state.
 * 4. The answer of `tail` is final: no earlier append reaches the log afterwards that is not in it now.
 * 5. The state records where the log stands: each batch of a partition writes its position and epoch into `meta`.
 */

/** The disk could not be read. No message is at fault, and the result is unknown. */
export class StorageFailure extends Error {
  constructor(cause: unknown) {
    super('the storage could not be read', { cause });
    this.name = 'StorageFailure';
  }
}

/** A log is not what was confirmed, or contradicts itself: only the operator can go on. Its message is a sentence. */
export class LogContradiction extends Error {}

export interface StorageEntry {
  key: Uint8Array;
  value: Uint8Array;
}

export interface RangeOptions {
  /** First key of the range (included). */
  start: Uint8Array;
  /** First key after the range (excluded). */
  end: Uint8Array;
  /** Newest first. */
  reverse?: boolean;
  limit?: number;
}

/** A view of one partition's committed state. Throws StorageFailure for anything that cannot be read. */
export interface StorageReader {
  /** How many reads have failed. */
  readonly failures: number;
  /** The bytes may be reused by the next read: decode or copy them at once. */
  get(key: Uint8Array): Uint8Array | undefined;
  /** Finish or leave the loop soon: an open range pins pages of the file. */
  range(options: RangeOptions): Iterable<StorageEntry>;
  /** Moves to the newest committed state. */
  refresh(): void;
}

/** Puts and deletes in order; a value of undefined deletes. */
export interface LogBatch {
  readonly keys: readonly Uint8Array[];
  readonly values: readonly (Uint8Array | undefined)[];
}

/** The end of a log. */
export interface LogTail {
  /** Position of the last batch: rising, not always without gaps. */
  readonly position: number;
  /** Epoch in which it was last opened. */
  readonly epoch: number;
}

/** A batch with its place in the log. */
export interface LogRecord extends LogTail, LogBatch {}

/**
 * Why a log refuses.
 * - fenced: it was opened in a later epoch; nothing of the append is in it, and nothing ever will be.
 * - unknown: nobody knows what became of the append; `tail` tells.
 * - full: it has no room. Nothing of the append is in it.
 * - truncated: the records asked for are no longer kept; a follower begins with a copy of the state.
 */
export type LogRefusalReason = 'fenced' | 'unknown' | 'full' | 'truncated';

export class LogRefusal extends Error {
  readonly reason: LogRefusalReason;

  constructor(reason: LogRefusalReason, cause?: unknown) {
    super(sentences[reason], cause === undefined ? undefined : { cause });
    this.name = 'LogRefusal';
    this.reason = reason;
  }
}

const sentences: Record<LogRefusalReason, string> = {
  fenced: 'the log was opened in a later epoch',
  unknown: 'the commit failed',
  full: 'the commit failed: there is no room',
  truncated: 'the log does not go back so far',
};

export function isRefusal(answer: LogTail | LogRefusal): answer is LogRefusal {
  return answer instanceof LogRefusal;
}

export type TailAnswer = (answer: LogTail | LogRefusal) => void;

export interface PartitionLog {
  readonly reader: StorageReader;
  /** Takes the log over for appending. Within the current epoch it continues; `fenced` where a later one has begun. */
  open(epoch: number, answer: TailAnswer): void;
  append(batch: LogBatch, completed: (refusal: LogRefusal | undefined) => void): void;
  /** Settles what became of the appends so far. */
  tail(answer: TailAnswer): void;
  /** The batches after this position, up to the last one on disk. Throws the refusal where some are no longer kept. */
  read(after: number): AsyncIterable<LogRecord>;
  /** Batches up to this position may be dropped: the state contains them. */
  truncate(position: number): Promise<void>;
  close(): Promise<void>;
}
