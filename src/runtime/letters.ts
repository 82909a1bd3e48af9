/**
 * Dead letters as the operator deals with them: durable messages whose turn threw. A partition keeps the newest of them
 * until they are sent again or dropped; the number of a letter in its partition is never given to another.
 */
import { type DeadLetter, deadLetters } from './storage/machine.ts';
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

/** The letters of the partition that `reader` reads, the newest first. */
export function* lettersOf(reader: Reader, limit?: number): Generator<StoredLetter> {
  const query = limit === undefined ? { reverse: true } : { reverse: true, limit };
  for (const { key, value } of reader.range(deadLetters, [], query)) yield { ...value, sequence: key[0] };
}
