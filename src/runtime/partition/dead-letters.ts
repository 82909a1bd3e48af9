/**
 * The dead letters of a partition.
 *
 * INVARIANT a letter goes in the batch in which its message runs again or stands in the inbox: it is never lost, and
 * never runs twice for one order.
 */
import { partitionLimits } from '../limits.ts';
import type { Clock } from '../ports.ts';
import { type DeadLetter, deadLetters, type PendingEffect, type StoredMessage } from '../storage/machine.ts';
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

  /** One too many pushes the oldest out. */
  add(message: StoredMessage, error: string, effect?: PendingEffect): void {
    const { filling, meta } = this.staging;
    meta.deadLetterSequence += 1;
    const sequence = meta.deadLetterSequence;
    filling.put(deadLetters, [sequence], { at: this.clock.now(), message, error, ...(effect && { effect }) });
    if (sequence > partitionLimits.deadLettersMax)
      filling.delete(deadLetters, [sequence - partitionLimits.deadLettersMax]);
  }

  /** Takes a letter out; undefined when there is none of this number. */
  take(sequence: number): DeadLetter | undefined {
    const letter = this.staging.reader.get(deadLetters, [sequence]);
    if (letter !== undefined) this.staging.filling.delete(deadLetters, [sequence]);
    return letter;
  }
}
