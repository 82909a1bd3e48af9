/**
 * Dead letters as the operator deals with them: durable messages whose turn threw. A partition keeps the newest of them
 * until they are sent again or dropped; the number of a letter in its partition is never given to another.
 */
import { decodeRecord, letterOfRecord } from './partition/undecodable.ts';
import { type DeadLetter, deadLetterRecords, deadLetters, meta } from './storage/machine.ts';
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
  for (const { key, value } of reader.range(deadLetterRecords, [], query))
    yield { ...letterOf(key[0], value), sequence: key[0] };
}

/** One that cannot be decoded is a letter about itself, with its bytes. It can be dropped, and not sent again. */
export function letterOf(sequence: number, bytes: Uint8Array): DeadLetter & { readonly isDamaged?: true } {
  try {
    return decodeRecord(deadLetters, bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = letterOfRecord(`dead letter ${sequence}`, bytes);
    return { at: 0, message, error: `it cannot be decoded: ${reason}`, isDamaged: true };
  }
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
