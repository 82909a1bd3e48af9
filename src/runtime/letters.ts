/**
 * Dead letters as the operator sees them: durable messages whose turn threw, and records that cannot be decoded. A
 * partition keeps the newest until they are retried or dropped. The number of a letter is never reused in its partition.
 */
import { decodeRecord, letterOfRecord, noKind } from './partition/undecodable.ts';
import { readableCounters } from './storage/counters.ts';
import { type DeadLetter, deadLetterRecords, deadLetters, events } from './storage/machine.ts';
import type { Reader } from './storage/reader.ts';

export interface StoredLetter extends DeadLetter {
  readonly sequence: number;
}

/**
 * What to do with some letters of a partition, `lettersPerOrderMax` at most. Those that no longer exist are skipped.
 * `deleteRecord`: deletes the damaged record that a letter holds, and the letter; a record that has changed since is
 * skipped.
 */
export interface LetterOrder {
  readonly what: 'retry' | 'drop' | 'deleteRecord';
  readonly sequences: readonly number[];
}

export interface LetterOutcome {
  /**
   * How many of the named letters were looked at, one at least: large ones fill a batch. The others wait for another
   * order.
   */
  readonly handled: number;
  /** Letters that existed and were removed. */
  readonly taken: number;
  /** Letters that were added while the retried ones ran: most likely the same messages, under new numbers. */
  readonly failed: number;
  /** Letters that were not sent again, because they hold a record. */
  readonly records: number;
}

/** The letters of the reader's partition, newest or oldest first. */
export function* lettersOf(reader: Reader, limit?: number, reverse = true): Generator<StoredLetter> {
  const query = limit === undefined ? { reverse } : { reverse, limit };
  for (const { key, value } of reader.range(deadLetterRecords, [], query)) yield storedLetter(key[0], value);
}

/** Their numbers, the oldest first; no letter is decoded. */
export function* letterNumbersOf(reader: Reader): Generator<number> {
  for (const { key } of reader.range(deadLetterRecords, [])) yield key[0];
}

/** Undefined where there is none of this number. */
export function letterNumbered(reader: Reader, sequence: number): StoredLetter | undefined {
  const record = reader.get(deadLetterRecords, [sequence]);
  return record === undefined ? undefined : storedLetter(sequence, record);
}

export function storedLetter(sequence: number, bytes: Uint8Array): StoredLetter {
  return { ...letterOf(sequence, bytes), sequence };
}

/**
 * A letter that cannot be decoded is presented as a letter that holds its bytes. It can be dropped, but not retried.
 */
export function letterOf(sequence: number, bytes: Uint8Array): DeadLetter {
  try {
    const letter = decodeRecord(deadLetters, bytes);
    if (letter.recordKey !== undefined && !(letter.message[3] instanceof Uint8Array))
      throw new Error('it has not the bytes of its record');
    if (Number.isNaN(new Date(letter.at).getTime())) throw new Error('its time is beyond all dates');
    return letter;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = letterOfRecord(`dead letter ${sequence}`, bytes);
    return { at: 0, message, error: `it cannot be decoded: ${reason}` };
  }
}

/** Whether the letter is a record that cannot be decoded: no actor can handle it. Its key is the record's place. */
export function holdsRecord({ message: [kind] }: Pick<DeadLetter, 'message'>): boolean {
  return kind === noKind;
}

/**
 * Whether the letter is a damaged record of the event log. It is not deleted by command: streams would miss its events
 * without a word. It leaves the log with those of its time.
 */
export function isOfEventLog({ recordKey }: Pick<DeadLetter, 'recordKey'>): boolean {
  return recordKey !== undefined && recordKey[2] === events.number && events.isKey(recordKey);
}

/** Dead letters of some partitions: in their databases and in their archive files. */
export interface LetterCounts {
  readonly kept: number;
  readonly archived: number;
}

/** Of the partitions whose counters can be read. */
export function letterCounts(readers: readonly Reader[]): LetterCounts {
  const metas = readers.map(readableCounters);
  return {
    kept: metas.reduce((sum, counters) => sum + Math.max(0, counters?.deadLettersKept ?? 0), 0),
    archived: metas.reduce((sum, counters) => sum + (counters?.deadLettersArchived ?? 0), 0),
  };
}
