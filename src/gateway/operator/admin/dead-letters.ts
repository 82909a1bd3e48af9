/**
 * Dead letters, as the operator sees them: messages between actors whose turn failed for a reason nobody had thought of.
 * A letter is named by its partition and its number there, as in `0-17`.
 */
import { Failure } from '../../../runtime/errors.ts';
import { type LetterOrder, lettersOf, type StoredLetter } from '../../../runtime/letters.ts';
import { partitionLimits } from '../../../runtime/limits.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Services } from '../../../services/services.ts';
import { adminLimits } from './limits.ts';
import type { RequestOf } from './requests.ts';

interface Letter extends StoredLetter {
  readonly partition: number;
}

export function countDeadLetters({ snapshots }: Services): number {
  let count = 0;
  for (const reader of snapshots.partitions) for (const _letter of lettersOf(reader)) count += 1;
  return count;
}

/** The newest, one a line, the newest first. */
export function listDeadLetters(services: Services, request: RequestOf<'dead-letters list'>): string[] {
  const limit = request.limit ?? adminLimits.lettersListed;
  const newest = services.snapshots.partitions
    .flatMap((reader, partition) => [...lettersOf(reader, limit)].map((letter): Letter => ({ ...letter, partition })))
    .sort((one, other) => other.at - one.at)
    .slice(0, limit);
  if (newest.length === 0) return ['There are no dead letters.'];
  const count = countDeadLetters(services);
  const rest = count - newest.length;
  return [...newest.map(describe), ...(rest > 0 ? [`${rest} more are older.`] : [])];
}

function describe({ partition, sequence, at, message: [, key], error }: Letter): string {
  return `${partition}-${sequence}  ${new Date(at).toISOString()}  ${asOneLine(`to ${key}: ${error}`)}`;
}

/** Names and errors may hold what strangers have written: nothing of it may steer a terminal. */
function asOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').slice(0, adminLimits.letterCharactersMax);
}

/** Sends letters again, exactly as they were; those that fail once more are dead letters with new names. */
export async function retryDeadLetters(
  services: Services,
  { letter }: RequestOf<'dead-letters retry'>,
): Promise<string[]> {
  const { taken, failed } = await order(services, letter, 'retry');
  return [`Sent again: ${taken}`, ...(failed > 0 ? [`Failed again: ${failed}`] : [])];
}

export async function dropDeadLetters(
  services: Services,
  { letter }: RequestOf<'dead-letters drop'>,
): Promise<string[]> {
  const { taken } = await order(services, letter, 'drop');
  return [`Dropped: ${taken}`];
}

const all = 'all';

/** Takes the letters part by part, the oldest of a partition first: other work has its turn in between. */
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

/** The letters of a partition that are meant. Those that come from now on are not. */
function sequencesOf(letter: string, partition: number, reader: Reader): number[] {
  const letters = Array.from(lettersOf(reader), ({ sequence }) => sequence).reverse();
  return letter === all ? letters : letters.filter((sequence) => `${partition}-${sequence}` === letter);
}
