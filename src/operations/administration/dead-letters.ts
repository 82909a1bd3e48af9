/**
 * Dead letters: messages between actors whose handler failed unexpectedly. A letter is identified by its partition and
 * its number there, as in `0-17`.
 */
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';
import { type LetterOrder, lettersOf, type StoredLetter } from '../../runtime/letters.ts';
import { partitionLimits } from '../../runtime/limits.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Services } from '../../services/services.ts';
import { operation } from '../operation.ts';

export interface DeadLetter extends StoredLetter {
  readonly partition: number;
}

export const deadLettersListedMax = 50;

export function countDeadLetters({ snapshots }: Pick<Services, 'snapshots'>): number {
  let count = 0;
  for (const reader of snapshots.partitions) for (const _letter of lettersOf(reader)) count += 1;
  return count;
}

interface ListedLetters {
  /** Newest first. */
  readonly letters: readonly DeadLetter[];
  /** How many more there are. */
  readonly rest: number;
}

export const listDeadLetters = operation({
  input: z.object({ limit: z.int().min(1).max(deadLettersListedMax) }),
  permission: 'operateMachine',
  run({ services }, { limit }): ListedLetters {
    const letters = services.snapshots.partitions
      .flatMap((reader, partition) =>
        [...lettersOf(reader, limit)].map((letter): DeadLetter => ({ ...letter, partition })),
      )
      .sort((one, other) => other.at - one.at)
      .slice(0, limit);
    return { letters, rest: countDeadLetters(services) - letters.length };
  },
});

/** The name of a letter, or `all`. */
const named = z.object({ letter: z.string() });

/** Retries letters unchanged; those that fail again become dead letters with new names. */
export const retryDeadLetters = operation({
  input: named,
  permission: 'operateMachine',
  run: ({ services }, { letter }) => order(services, letter, 'retry'),
});

export const dropDeadLetters = operation({
  input: named,
  permission: 'operateMachine',
  run: ({ services }, { letter }) => order(services, letter, 'drop'),
});

const all = 'all';

/** Handles letters in parts, the oldest of a partition first, so that other work runs in between. */
async function order({ client, snapshots }: Services, letter: string, what: LetterOrder['what']) {
  const sum = { taken: 0, failed: 0 };
  const { lettersPerOrderMax } = partitionLimits;
  for (const [partition, reader] of snapshots.partitions.entries()) {
    const sequences = sequencesOf(letter, partition, reader);
    for (let first = 0; first < sequences.length; first += lettersPerOrderMax) {
      const part = sequences.slice(first, first + lettersPerOrderMax);
      const { taken, failed } = await client.letters(partition, { what, sequences: part });
      sum.taken += taken;
      sum.failed += failed;
    }
  }
  if (letter !== all && sum.taken === 0) throw new Failure('notFound', { text: `There is no dead letter ${letter}.` });
  return sum;
}

/** The selected letters of a partition, without those added from now on. */
function sequencesOf(letter: string, partition: number, reader: Reader): number[] {
  const letters = Array.from(lettersOf(reader), ({ sequence }) => sequence).reverse();
  return letter === all ? letters : letters.filter((sequence) => `${partition}-${sequence}` === letter);
}
