/**
 * The one way to make something durable: a partition's log. On one node the log is the LMDB commit itself; a cluster puts
 * a replicated log behind the same calls. Who appends has opened the log in an epoch, and whoever opens it in a later one
 * shuts him out.
 *
 * INVARIANTS
 * 1. A batch is applied whole or not at all, and batches in the order of their appends. An append that is refused takes
 *    all that were appended after it with it: they are refused too, and nothing more is taken before `tail` has answered.
 * 2. `completed` is called once per append, in their order, after the batch is on disk (or with the refusal), never within
 *    `append`. `open` and `tail` may answer at once.
 * 3. The reader shows nothing of a batch that is not on disk, and all of it after `refresh`, which the partition calls
 *    after `completed`. Within one tick it stays on one state.
 * 4. What `tail` answers is final: of the appends before it nothing comes to the log any more that is not there.
 * 5. The state tells where the log stands: each batch of a partition writes its position and its epoch into `meta`.
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

/** Where a log stands. */
export interface LogTail {
  /** Of the last batch; they are numbered upwards, not always without gaps. */
  readonly position: number;
  /** In which it was opened last. */
  readonly epoch: number;
}

/** A batch as it stands in a log. */
export interface LogRecord extends LogTail, LogBatch {}

/**
 * Why a log does not do what it is asked for.
 * fenced: it was opened in a later epoch; nothing of this came to it, and nothing ever will.
 * unknown: nobody knows what became of it; `tail` tells.
 * full: it has no room. Nothing of this came to it.
 * truncated: what is asked for is not kept any more; whoever follows begins with a copy of the state.
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
  /** Takes the log over; appends follow. In the epoch of before it goes on; `fenced` where that is over. */
  open(epoch: number, answer: TailAnswer): void;
  append(batch: LogBatch, completed: (refusal: LogRefusal | undefined) => void): void;
  /** Settles what became of the appends so far. */
  tail(answer: TailAnswer): void;
  /** The batches after this position, up to the last one on disk. Throws the refusal where some are not kept any more. */
  read(after: number): AsyncIterable<LogRecord>;
  /** Batches up to this position need not be kept; the state has them. */
  truncate(position: number): Promise<void>;
  close(): Promise<void>;
}
