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
  type PendingEffect,
  type StoredMessage,
} from '../storage/machine.ts';
import type { Batch } from './batch.ts';
import type { Staging } from './staging.ts';

export class DeadLetters {
  private readonly staging: Staging;
  private readonly clock: Clock;

  constructor(staging: Staging, clock: Clock) {
    this.staging = staging;
    this.clock = clock;
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
    batch.put(deadLetters, [meta.deadLetterSequence], { at: this.clock.now(), ...letter });
  }

  find(sequence: number): DeadLetter | undefined {
    const record = this.staging.reader.get(deadLetterRecords, [sequence]);
    return record === undefined ? undefined : letterOf(sequence, record);
  }

  /** Removes a letter that was found. */
  remove(sequence: number): void {
    this.staging.filling.delete(deadLetters, [sequence]);
    this.staging.meta.deadLettersKept -= 1;
  }
}
