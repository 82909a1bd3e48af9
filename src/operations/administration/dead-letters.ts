/**
 * Dead letters: messages between actors whose handler failed unexpectedly, and records that cannot be decoded. A letter
 * is identified by its partition and its number there, as in `0-17`.
 */
import { z } from 'zod';
import type { ActorKey } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import {
  holdsRecord,
  isOfEventLog,
  letterCounts,
  letterNumbered,
  letterNumbersOf,
  lettersOf,
  type StoredLetter,
} from '../../runtime/letters.ts';
import { partitionLimits } from '../../runtime/limits.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';

export interface DeadLetter extends StoredLetter {
  readonly partition: number;
}

/** A letter without its message, which may be large. */
export interface ListedLetter extends Pick<DeadLetter, 'partition' | 'sequence' | 'at' | 'error'> {
  /** The actor that the message was for, or the place of the record. */
  readonly key: ActorKey;
  readonly holdsRecord: boolean;
}

export const deadLettersListedMax = 50;

interface ListedLetters {
  /** Newest first. */
  readonly letters: readonly ListedLetter[];
  /** How many more there are. */
  readonly rest: number;
}

export const listDeadLetters = operation({
  input: z.object({ limit: z.int().min(1).max(deadLettersListedMax) }),
  permission: 'operateMachine',
  audit: reads,
  run({ services }, { limit }): ListedLetters {
    const { partitions } = services.snapshots;
    const letters = partitions
      .flatMap((reader, partition) => listed(reader, partition, limit))
      .sort((one, other) => other.at - one.at)
      .slice(0, limit);
    return { letters, rest: Math.max(0, letterCounts(partitions).kept - letters.length) };
  },
});

function listed(reader: Reader, partition: number, limit: number): ListedLetter[] {
  const letters: ListedLetter[] = [];
  for (const letter of lettersOf(reader, limit)) {
    const { sequence, at, error, message } = letter;
    letters.push({ partition, sequence, at, error, key: message[1], holdsRecord: holdsRecord(letter) });
  }
  return letters;
}

export const showDeadLetter = operation({
  input: z.object({ letter: z.string() }),
  permission: 'operateMachine',
  audit: reads,
  run: ({ services }, { letter }) => letterNamed(services, letter),
});

const ofTheMachine = { nothing: 'it concerns what the machine could not handle, and decides about nobody' } as const;

/** The name of a letter; retrying and dropping also take `all`. */
const named = z.object({ letter: z.string() });

/** Retries letters unchanged; those that fail again become dead letters with new names. Records stay. */
export const retryDeadLetters = operation({
  input: named,
  permission: 'operateMachine',
  audit: ofTheMachine,
  run: ({ services }, { letter }) => order(services, letter, 'retry'),
});

export const dropDeadLetters = operation({
  input: named,
  permission: 'operateMachine',
  audit: ofTheMachine,
  run: ({ services }, { letter }) => order(services, letter, 'drop'),
});

/**
 * Deletes the damaged record that a letter holds, and the letter: from then on it is as if the record had never been
 * there. What counts it or points to it is not changed; `murmuration check` finds that.
 */
export const deleteDamagedRecord = operation({
  input: named,
  permission: 'operateMachine',
  audit: ofTheMachine,
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

/** Handles letters in parts, so that other work runs in between; of all letters, those that are there now. */
async function order(services: Services, letter: string, what: 'retry' | 'drop') {
  const sum = { taken: 0, failed: 0, records: 0 };
  for (const { partition, sequences } of selected(services, letter)) {
    for (let first = 0; first < sequences.length; ) {
      const part = sequences.slice(first, first + partitionLimits.lettersPerOrderMax);
      const { handled, taken, failed, records } = await services.client.letters(partition, { what, sequences: part });
      first += handled;
      sum.taken += taken;
      sum.failed += failed;
      sum.records += records;
    }
  }
  if (letter !== all && sum.records > 0)
    throw validationFailure(`The dead letter ${letter} is a damaged record, not a message: it cannot be sent again.`);
  if (letter !== all && sum.taken === 0) throw notThere(letter);
  return sum;
}

interface Selected {
  readonly partition: number;
  /** The oldest first. */
  readonly sequences: readonly number[];
}

/** By their numbers alone: together the letters may be too large for memory. */
function selected({ snapshots }: Pick<Services, 'snapshots'>, name: string): Selected[] {
  if (name !== all) {
    const { partition, sequence } = placeNamed(name);
    return partition < snapshots.partitions.length ? [{ partition, sequences: [sequence] }] : [];
  }
  return snapshots.partitions.map((reader, partition) => ({ partition, sequences: [...letterNumbersOf(reader)] }));
}

function letterNamed({ snapshots }: Pick<Services, 'snapshots'>, name: string): DeadLetter {
  const { partition, sequence } = placeNamed(name);
  const reader = snapshots.partitions[partition];
  const letter = reader && letterNumbered(reader, sequence);
  if (letter === undefined) throw notThere(name);
  return { ...letter, partition };
}

/** Throws for what is not the name of any letter. */
function placeNamed(name: string): { partition: number; sequence: number } {
  const [, partition, sequence] = /^(\d{1,4})-(\d{1,15})$/.exec(name) ?? [];
  if (sequence === undefined) throw notThere(name);
  return { partition: Number(partition), sequence: Number(sequence) };
}

function notThere(letter: string): Failure {
  return new Failure('notFound', { text: `There is no dead letter ${letter}.` });
}
