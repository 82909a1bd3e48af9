/**
 * Moves deliveries and lanes to other partitions. A host belongs to the partition of its name, and everything about it
 * moves there: its number, the inboxes of followers at it, its lane, and its entries in the logs. Logs of several
 * partitions are merged by the time of their entries, and cursors are translated.
 *
 * INVARIANT a lane has the same deliveries before and behind its cursor as before, in the same order: none is sent
 * twice or left out.
 */
import { slotOfKey } from '../../runtime/ids.ts';
import type { Entry, Reader } from '../../runtime/storage/reader.ts';
import { type EntryToPut, entryToPut, type MoveInput, type Relocation } from '../../runtime/storage/relocation.ts';
import { visitHosts } from './deliveries.queries.ts';
import { packNumbers } from './hosts.ts';
import type { LaneState } from './partition.records.ts';
import {
  type Delivery,
  deliveryLog,
  deliveryMeta,
  deliveryReaders,
  followerHostInboxes,
  followerHosts,
  hostsByNumber,
  laneStates,
  numbersOfHosts,
} from './partition.state.ts';

interface Home {
  readonly partition: number;
  readonly number: number;
}

/** Old and new sequences of the entries of one log that moved to one partition, ascending. */
type Sequences = { readonly before: number; readonly after: number }[];

/** Read without naming an account. */
const everyFollowerHost: typeof followerHosts = { ...followerHosts, scopeBytes: 0 };

class RelocatedDeliveries {
  private readonly input: MoveInput;
  /** Per partition: the new place of each host, by its old number. */
  private readonly homes: readonly Map<number, Home>[];
  private readonly lastHost: number[];
  private readonly lastSequence: number[];
  /** By the log's old partition, then by the new one. */
  private readonly sequences: readonly Sequences[][];

  constructor(input: MoveInput) {
    this.input = input;
    const { readers, to } = input;
    this.homes = readers.map(() => new Map());
    this.lastHost = new Array<number>(to.partitions).fill(0);
    this.lastSequence = new Array<number>(to.partitions).fill(0);
    this.sequences = readers.map(() => Array.from({ length: to.partitions }, (): Sequences => []));
  }

  *entries(): Generator<EntryToPut> {
    const { readers, to } = this.input;
    for (const [source, reader] of readers.entries()) yield* this.hosts(source, reader);
    for (const [source, reader] of readers.entries()) yield* this.reaches(source, reader);
    for (const { source, entry } of byTime(readers)) yield* this.delivery(source, entry);
    // The threads that read the logs report their progress anew.
    for (const [source, reader] of readers.entries()) yield* this.lanes(source, reader);
    for (let partition = 0; partition < to.partitions; partition += 1) {
      const [nextHost, nextSequence] = [this.lastHost[partition]! + 1, this.lastSequence[partition]! + 1];
      if (nextHost > 1) yield entryToPut(partition, deliveryMeta, [0], { nextSequence, nextHost });
    }
  }

  private *hosts(source: number, reader: Reader): Generator<EntryToPut> {
    for (const { key, value } of reader.range(hostsByNumber, [])) {
      const partition = this.input.to.partitionOf(slotOfKey(value.host));
      this.lastHost[partition]! += 1;
      const number = this.lastHost[partition]!;
      this.homes[source]!.set(key[0], { partition, number });
      yield entryToPut(partition, hostsByNumber, [number], value);
      yield entryToPut(partition, numbersOfHosts, [value.host], { number });
    }
  }

  private *reaches(source: number, reader: Reader): Generator<EntryToPut> {
    for (const { key, value } of reader.range(everyFollowerHost, [])) {
      const [account, host] = key;
      const { partition, number } = this.homeOf(source, host);
      yield entryToPut(partition, followerHosts, [account, number], value);
      for (const { value: kept } of reader.range(followerHostInboxes, [account, host]))
        yield entryToPut(partition, followerHostInboxes, [account, number, kept.inbox], kept);
    }
  }

  /** The part of a delivery for each partition that has hosts in it. */
  private *delivery(source: number, { key, value }: Entry<[number], Delivery>): Generator<EntryToPut> {
    const parts = new Map<number, { hosts: number[]; single: Delivery['single'][number][]; addressed: number[] }>();
    const partOf = (partition: number) => {
      const part = parts.get(partition) ?? { hosts: [], single: [], addressed: [] };
      parts.set(partition, part);
      return part;
    };
    visitHosts(value, (host) => {
      const { partition, number } = this.homeOf(source, host);
      partOf(partition).hosts.push(number);
    });
    for (const { host, inbox } of value.single) {
      const { partition, number } = this.homeOf(source, host);
      partOf(partition).single.push({ host: number, inbox });
    }
    for (const host of value.addressed) {
      const { partition, number } = this.homeOf(source, host);
      parts.get(partition)?.addressed.push(number);
    }
    for (const [partition, { hosts, single, addressed }] of parts) {
      this.lastSequence[partition]! += 1;
      const after = this.lastSequence[partition]!;
      this.sequences[source]![partition]!.push({ before: key[0], after });
      const delivery = { ...value, hosts: packNumbers(hosts), single, addressed };
      yield entryToPut(partition, deliveryLog, [after], delivery);
    }
  }

  private *lanes(source: number, reader: Reader): Generator<EntryToPut> {
    for (const { key, value } of reader.range(laneStates, [])) {
      const { partition, number } = this.homeOf(source, key[0]);
      const state = laneIn(value, this.sequences[source]![partition]!, this.lastSequence[partition]!);
      yield entryToPut(partition, laneStates, [number], state);
    }
  }

  private homeOf(source: number, host: number): Home {
    const home = this.homes[source]!.get(host);
    if (home === undefined) throw new Error(`partition ${source} has no host of the number ${host}`);
    return home;
  }
}

/** Entries of other logs in between do not concern the lane. */
function laneIn(state: LaneState, sequences: Sequences, last: number): LaneState {
  /** The last sequence before the first entry that was behind the old one. */
  const through = (before: number) => (sequences[firstFrom(sequences, before + 1)]?.after ?? last + 1) - 1;
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
function* byTime(readers: readonly Reader[]): Generator<{ source: number; entry: Entry<[number], Delivery> }> {
  const logs = readers.map((reader) => reader.range(deliveryLog, []));
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
    yield { source, entry: heads[source]!.value as Entry<[number], Delivery> };
    heads[source] = logs[source]!.next();
  }
}

export const deliveryRelocation: Relocation = {
  kind: 'together',
  keyspaces: [
    deliveryMeta,
    hostsByNumber,
    numbersOfHosts,
    followerHosts,
    followerHostInboxes,
    deliveryLog,
    laneStates,
    deliveryReaders,
  ],
  move: (input) => new RelocatedDeliveries(input).entries(),
};
