/**
 * Dead letters as the operator deals with them: durable messages whose turn threw. A partition keeps the newest of them
 * until they are sent again or dropped; the number of a letter in its partition is never given to another.
 */
import { type DeadLetter, deadLetters, meta } from './storage/machine.ts';
import type { Reader } from './storage/reader.ts';

export interface StoredLetter extends DeadLetter {
  readonly sequence: number;
}

/** What shall become of some letters of a partition. Those that are not there any more are passed over. */
export interface LetterOrder {
  readonly what: 'retry' | 'drop';
  readonly sequences: readonly number[];
}

export interface LetterOutcome {
  /** Letters that were there, and are not any more. */
  readonly taken: number;
  /** Letters that came while those sent again ran: most likely they, with a new number. */
  readonly failed: number;
}

/** The letters of the partition that `reader` reads, the newest first or the oldest. */
export function* lettersOf(reader: Reader, limit?: number, reverse = true): Generator<StoredLetter> {
  const query = limit === undefined ? { reverse } : { reverse, limit };
  for (const { key, value } of reader.range(deadLetters, [], query)) yield { ...value, sequence: key[0] };
}

/** Dead letters of some partitions: in their databases, and in their files. */
export interface LetterCounts {
  readonly kept: number;
  readonly archived: number;
}

export function letterCounts(readers: readonly Reader[]): LetterCounts {
  const metas = readers.map((reader) => reader.get(meta, [0]));
  return {
    kept: metas.reduce((sum, counters) => sum + Math.max(0, counters?.deadLettersKept ?? 0), 0),
    archived: metas.reduce((sum, counters) => sum + (counters?.deadLettersArchived ?? 0), 0),
  };
}
