/** Checks all partitions of a stopped server: each by itself, and what their actors store about each other. */
import type { Placement } from '../ports.ts';
import { type CheckOutcome, checkPartition } from './check.ts';
import type { AnyKeyspace } from './keyspace.ts';
import type { StorageReader } from './log.ts';
import { cursors, deadLetters, effects, inboxRecords, machineKeyspaces, outbox } from './machine.ts';
import { machineRules } from './machine-rules.ts';
import type { Reader } from './reader.ts';
import { countEntries, type Rule } from './rules.ts';
import { Snapshots } from './snapshots.ts';

export interface ServerCheckInput {
  readonly placement: Placement;
  readonly readers: readonly StorageReader[];
  /** Of the domain; the machine's own are added, and its rules. */
  readonly keyspaces: readonly AnyKeyspace[];
  readonly rules: readonly Rule[];
}

export interface ServerCheck {
  readonly partitions: readonly CheckOutcome[];
  /** While there are any, actors may know different things of each other. */
  readonly messagesUnderWay: number;
  /** Whether no message stands in an inbox or on its way to another partition. */
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

/** What waits beside undelivered messages: letters, and the messages that effects will bring. */
function countUnderWay(partitions: readonly Reader[]): number {
  const kept = partitions.map(
    (partition) => countEntries(partition, effects, []) + countEntries(partition, deadLetters, []),
  );
  return kept.reduce((sum, count) => sum + count, countUndelivered(partitions));
}

/** Messages that stand in an inbox or in frames not taken. */
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
