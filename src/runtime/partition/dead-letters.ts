/**
 * The dead letters of a partition.
 *
 * INVARIANT a letter goes in the batch in which its message runs again or stands in the inbox: it is never lost, and
 * never runs twice for one order.
 */
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

  /** Takes a letter out; undefined when there is none of this number. */
  take(sequence: number): DeadLetter | undefined {
    const letter = this.staging.reader.get(deadLetters, [sequence]);
    if (letter === undefined) return undefined;
    this.staging.filling.delete(deadLetters, [sequence]);
    this.staging.meta.deadLettersKept -= 1;
    return letter;
  }
}
