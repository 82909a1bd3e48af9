/**
 * What a replicated log needs of a stream: records at positions without gaps, of which each is appended only at the
 * position that its sender expects.
 */

export interface StoredRecord {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/**
 * - stored: at this position.
 * - conflict: the stream ends elsewhere.
 * - full: it takes nothing more.
 * - unanswered: nobody knows; the record may still arrive.
 */
export type Published =
  | { readonly kind: 'stored'; readonly sequence: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'full'; readonly cause: unknown }
  | { readonly kind: 'unanswered'; readonly cause: unknown };

/** The stream did not answer a question. */
export class StreamUnanswered extends Error {
  constructor(cause: unknown) {
    super('the servers of the log do not answer', { cause });
    this.name = 'StreamUnanswered';
  }
}

/** Questions reject with StreamUnanswered; `publish` never rejects. */
export interface LogStream {
  /** The largest record that it takes. */
  recordBytesMax(): Promise<number>;
  /** Appends the record if `last` is the last position. Records reach the stream in the order of the calls, or not at all. */
  publish(record: Uint8Array, last: number): Promise<Published>;
  /** The first and the last position, as whoever decides about appends knows them; the first is above the last where nothing is kept. */
  bounds(): Promise<{ readonly first: number; readonly last: number }>;
  /** The record at this position, as whoever decides about appends has it. */
  get(sequence: number): Promise<StoredRecord | undefined>;
  /** The records from one position to another, quickly, and perhaps from a copy. */
  replay(from: number, to: number): AsyncIterable<StoredRecord>;
  /** Drops all records below this position. */
  truncate(before: number): Promise<void>;
  close(): Promise<void>;
}
