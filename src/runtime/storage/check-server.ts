/** Checks all partitions of a stopped server: each by itself, and what their actors store about each other. */
import { lettersOf } from '../letters.ts';
import type { Placement } from '../ports.ts';
import { type CheckOutcome, checkPartition } from './check.ts';
import type { AnyKeyspace } from './keyspace.ts';
import type { StorageReader } from './log.ts';
import { cursors, effects, inboxRecords, machineKeyspaces, outbox } from './machine.ts';
import { machineRules } from './machine-rules.ts';
import type { Reader } from './reader.ts';
import { countEntries, type Rule } from './rules.ts';
import { Snapshots } from './snapshots.ts';

export interface ServerCheckInput {
  readonly placement: Placement;
  readonly readers: readonly StorageReader[];
  /** The keyspaces of the domain; the runtime's own are added, and its rules. */
  readonly keyspaces: readonly AnyKeyspace[];
  readonly rules: readonly Rule[];
}

export interface ServerCheck {
  readonly partitions: readonly CheckOutcome[];
  /** While this is not 0, what actors know of each other may differ. */
  readonly messagesUnderWay: number;
  /** Whether no message is in an inbox or on its way to another partition. */
  readonly isDrained: boolean;
}

export function checkServer({ placement, readers, keyspaces, rules }: ServerCheckInput): ServerCheck {
  const server = new Snapshots(placement, readers);
  const messagesUnderWay = countUnderWay(server.partitions);
  const all = [...machineKeyspaces, ...keyspaces];
  const partitions = readers.map((reader, partition) =>
    checkPartition({
      ...{ partition, placement, reader },
      keyspaces: all,
      rules: [...machineRules, ...rules],
      server: messagesUnderWay === 0 ? server : undefined,
    }),
  );
  return { partitions, messagesUnderWay, isDrained: countUndelivered(server.partitions) === 0 };
}

/** Messages that may still come besides undelivered ones: dead letters, and answers of effects. */
function countUnderWay(partitions: readonly Reader[]): number {
  const kept = partitions.map((partition) => countEntries(partition, effects, []) + countLetters(partition));
  return kept.reduce((sum, count) => sum + count, countUndelivered(partitions));
}

/** Without copies of damaged records of state, which keep no message from anybody. */
function countLetters(partition: Reader): number {
  let letters = 0;
  for (const { recordKey } of lettersOf(partition)) if (recordKey === undefined) letters += 1;
  return letters;
}

/** Messages in inboxes, or in frames not yet taken. */
export function countUndelivered(partitions: readonly Reader[]): number {
  return partitions.reduce(
    (sum, partition, source) => sum + countEntries(partition, inboxRecords, []) + countFrames(source, partitions),
    0,
  );
}

function countFrames(source: number, partitions: readonly Reader[]): number {
  return partitions.reduce((sum, receiver, destination) => {
    const from = (receiver.get(cursors, [source])?.sequence ?? 0) + 1;
    let frames = 0;
    for (const _frame of partitions[source]!.range(outbox, [destination], { from })) frames += 1;
    return sum + frames;
  }, 0);
}
