/**
 * Dead letters: messages between actors whose handler failed unexpectedly, and records that cannot be decoded. A letter
 * is identified by its partition and its number there, as in `0-17`.
 */
import { z } from 'zod';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { holdsRecord, isOfEventLog, lettersOf, type StoredLetter } from '../../runtime/letters.ts';
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

export const showDeadLetter = operation({
  input: z.object({ letter: z.string() }),
  permission: 'operateMachine',
  run: ({ services }, { letter }) => letterNamed(services, letter),
});

/** The name of a letter; retrying and dropping also take `all`. */
const named = z.object({ letter: z.string() });

/** Retries letters unchanged; those that fail again become dead letters with new names. Records stay. */
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

/**
 * Deletes the damaged record that a letter holds, and the letter: from then on it is as if the record had never been
 * there. What counts it or points to it is not changed; `murmuration check` finds that.
 */
export const deleteDamagedRecord = operation({
  input: named,
  permission: 'operateMachine',
  async run({ services }, { letter: name }) {
    const letter = letterNamed(services, name);
    if (letter.recordKey === undefined) throw validationFailure(`The dead letter ${name} holds no record of an actor.`);
    if (isOfEventLog(letter))
      throw validationFailure(
        `The dead letter ${name} holds a record of the event log, which leaves with those of its time: nothing is deleted.`,
      );
    const { partition, sequence } = letter;
    const { taken } = await services.client.letters(partition, { what: 'deleteRecord', sequences: [sequence] });
    if (taken === 0)
      throw validationFailure(`The record of the dead letter ${name} has changed since: there is nothing to delete.`);
  },
});

const all = 'all';

/** Handles letters in parts, so that other work runs in between. */
async function order({ client, snapshots }: Services, letter: string, what: 'retry' | 'drop') {
  const sum = { taken: 0, failed: 0, records: 0 };
  const { lettersPerOrderMax } = partitionLimits;
  for (const [partition, reader] of snapshots.partitions.entries()) {
    const letters = selected(letter, partition, reader);
    const sequences = letters.filter((found) => what === 'drop' || !holdsRecord(found)).map(({ sequence }) => sequence);
    sum.records += letters.length - sequences.length;
    for (let first = 0; first < sequences.length; first += lettersPerOrderMax) {
      const part = sequences.slice(first, first + lettersPerOrderMax);
      const { taken, failed } = await client.letters(partition, { what, sequences: part });
      sum.taken += taken;
      sum.failed += failed;
    }
  }
  if (letter !== all && sum.records > 0)
    throw validationFailure(`The dead letter ${letter} is a damaged record, not a message: it cannot be sent again.`);
  if (letter !== all && sum.taken === 0) throw notThere(letter);
  return sum;
}

/** The selected letters of a partition, the oldest first, without those added from now on. */
function selected(name: string, partition: number, reader: Reader): StoredLetter[] {
  const letters = [...lettersOf(reader, undefined, false)];
  return name === all ? letters : letters.filter((letter) => nameOf(partition, letter) === name);
}

function letterNamed({ snapshots }: Pick<Services, 'snapshots'>, name: string): DeadLetter {
  for (const [partition, reader] of snapshots.partitions.entries())
    for (const letter of lettersOf(reader)) if (nameOf(partition, letter) === name) return { ...letter, partition };
  throw notThere(name);
}

function nameOf(partition: number, { sequence }: StoredLetter): string {
  return `${partition}-${sequence}`;
}

function notThere(letter: string): Failure {
  return new Failure('notFound', { text: `There is no dead letter ${letter}.` });
}
