/**
 * New sequences for the entries of logs that move to other partitions, where those of several old partitions are merged;
 * and the cursors of lanes in them.
 */
import type { Entry, Reader } from '../../runtime/storage/reader.ts';
import type { LaneState } from './partition.records.ts';

/** Old and new sequences of the entries of one log that moved to one partition, ascending. */
type Sequences = { readonly before: number; readonly after: number }[];

export class MovedLog {
  private readonly last: number[];
  /** By the log's old partition, then by the new one. */
  private readonly sequences: readonly Sequences[][];

  /** From so many partitions to so many. */
  constructor(before: number, after: number) {
    this.last = new Array<number>(after).fill(0);
    this.sequences = Array.from({ length: before }, () => Array.from({ length: after }, (): Sequences => []));
  }

  /** The sequence of the next entry of a partition; `before` is the one that it had in the old partition. */
  append(source: number, before: number, partition: number): number {
    this.last[partition]! += 1;
    const after = this.last[partition]!;
    this.sequences[source]![partition]!.push({ before, after });
    return after;
  }

  /** The next one after all that moved to a partition. */
  nextSequence(partition: number): number {
    return this.last[partition]! + 1;
  }

  /** Entries of other logs in between do not concern the lane. */
  laneIn(state: LaneState, source: number, partition: number): LaneState {
    const sequences = this.sequences[source]![partition]!;
    /** The last sequence before the first entry that was behind the old one. */
    const through = (before: number) =>
      (sequences[firstFrom(sequences, before + 1)]?.after ?? this.nextSequence(partition)) - 1;
    const cursor = through(state.cursor);
    const ahead: number[] = [];
    for (let index = 0; index < state.ahead.length; index += 2) {
      const [first, end] = [state.ahead[index]!, state.ahead[index + 1]!];
      const next = sequences[firstFrom(sequences, first)];
      if (next === undefined || next.before > end || next.after <= cursor) continue;
      const begin = next.after;
      if (ahead.at(-1) === begin - 1) ahead[ahead.length - 1] = through(end);
      else ahead.push(begin, through(end));
    }
    return { ...state, cursor, ahead };
  }
}

/** The index of the first entry with this sequence or a later one. */
function firstFrom(sequences: Sequences, before: number): number {
  let low = 0;
  let high = sequences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sequences[middle]!.before < before) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries of all logs by time, each log in its order. */
export function* byTime<Value extends { readonly at: number }>(
  readers: readonly Reader[],
  entriesOf: (reader: Reader) => Iterator<Entry<[number], Value>>,
): Generator<{ source: number; entry: Entry<[number], Value> }> {
  const logs = readers.map(entriesOf);
  const heads = logs.map((log) => log.next());
  for (;;) {
    let source = -1;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [candidate, head] of heads.entries()) {
      if (head.done === true || head.value.value.at >= earliest) continue;
      source = candidate;
      earliest = head.value.value.at;
    }
    if (source === -1) return;
    yield { source, entry: heads[source]!.value as Entry<[number], Value> };
    heads[source] = logs[source]!.next();
  }
}
