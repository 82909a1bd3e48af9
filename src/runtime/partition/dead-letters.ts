/**
 * The dead letters of a partition.
 *
 * INVARIANT a letter goes in the batch in which its message runs again or stands in the inbox: it is never lost, and
 * never runs twice for one order.
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
import type { Staging } from './staging.ts';

export class DeadLetters {
  private readonly staging: Staging;
  private readonly clock: Clock;

  constructor(staging: Staging, clock: Clock) {
    this.staging = staging;
    this.clock = clock;
  }

  /** The number given last. */
  get lastSequence(): number {
    return this.staging.meta.deadLetterSequence;
  }

  /** Those above their bound go to a file later: `ExcessLetters`. */
  add(message: StoredMessage, error: string, effect?: PendingEffect): void {
    const { filling, meta } = this.staging;
    meta.deadLetterSequence += 1;
    meta.deadLettersKept += 1;
    filling.put(deadLetters, [meta.deadLetterSequence], {
      at: this.clock.now(),
      message,
      error,
      ...(effect && { effect }),
    });
  }

  /** Takes a letter out; undefined when there is none of this number, or none that can be `sent` again. */
  take(sequence: number, sent: boolean): DeadLetter | undefined {
    const record = this.staging.reader.get(deadLetterRecords, [sequence]);
    if (record === undefined) return undefined;
    const letter = letterOf(sequence, record);
    if (sent && letter.isDamaged) return undefined;
    this.staging.filling.delete(deadLetters, [sequence]);
    this.staging.meta.deadLettersKept -= 1;
    return letter;
  }
}
