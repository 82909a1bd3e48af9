/**
 * The dead letters of a partition.
 *
 * INVARIANT a letter is removed in the batch in which its message runs again or enters the inbox: it is never lost, and
 * never runs twice for one command.
 */
import { letterOf } from '../letters.ts';
import type { Clock } from '../ports.ts';
import {
  type DeadLetter,
  deadLetterRecords,
  deadLetters,
  notCounted,
  type PendingEffect,
  type StoredMessage,
} from '../storage/machine.ts';
import type { Batch } from './batch.ts';
import type { Staging } from './staging.ts';

export class DeadLetters {
  private readonly staging: Staging;
  private readonly clock: Clock;
  private bytesKept = 0;

  constructor(staging: Staging, clock: Clock) {
    this.staging = staging;
    this.clock = clock;
  }

  /** Measures what is on disk. Letters are counted where an earlier version did not count them. */
  open(): void {
    const { meta, reader } = this.staging;
    let count = 0;
    this.bytesKept = 0;
    for (const { value } of reader.range(deadLetterRecords, [])) {
      count += 1;
      this.bytesKept += value.byteLength;
    }
    if (meta.deadLettersKept === notCounted) meta.deadLettersKept = count;
  }

  /** How many there are, and the bytes of their records, with what is not on disk yet. */
  get kept(): { readonly count: number; readonly bytes: number } {
    return { count: this.staging.meta.deadLettersKept, bytes: this.bytesKept };
  }

  /** The last number given. */
  get lastSequence(): number {
    return this.staging.meta.deadLetterSequence;
  }

  add(message: StoredMessage, error: string, effect?: PendingEffect): void {
    this.write({ message, error, ...(effect && { effect }) });
  }

  /** A record that cannot be decoded; `recordKey` is set for one that stays in its place. */
  addRecord(message: StoredMessage, cause: unknown, recordKey?: Uint8Array, batch?: Batch): void {
    const error = `it cannot be decoded: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.write({ message, error, ...(recordKey && { recordKey }) }, batch);
  }

  /** Letters above the bound are moved to a file later: `ExcessLetters`. */
  private write(letter: Omit<DeadLetter, 'at'>, batch = this.staging.filling): void {
    const { meta } = this.staging;
    meta.deadLetterSequence += 1;
    meta.deadLettersKept += 1;
    const record = deadLetters.value.encode({ at: this.clock.now(), ...letter });
    this.bytesKept += record.byteLength;
    batch.putEncoded(deadLetters, [meta.deadLetterSequence], record);
  }

  find(sequence: number): DeadLetter | undefined {
    const record = this.staging.reader.get(deadLetterRecords, [sequence]);
    return record === undefined ? undefined : letterOf(sequence, record);
  }

  /** False where it is not there. */
  remove(sequence: number): boolean {
    const { filling, meta, reader } = this.staging;
    const record = reader.get(deadLetterRecords, [sequence]);
    if (record === undefined) return false;
    filling.delete(deadLetters, [sequence]);
    meta.deadLettersKept -= 1;
    this.bytesKept -= record.byteLength;
    return true;
  }
}
