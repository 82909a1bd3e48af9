/**
 * Computes the entries of a server's partitions under another placement. The server is stopped and its channels are
 * drained: no message is in an inbox or in a frame that was not taken.
 *
 * INVARIANTS
 * 1. Entries of a slot move with it, byte for byte. Entries of a partition have a relocation, declared by the module
 *    that declares the keyspace.
 * 2. Timers, effects and dead letters move with their actor, in order and with new numbers.
 * 3. Event logs begin anew above every earlier commit: streams that resume from an earlier position are told of a gap.
 */
import type { ActorImplementation, ActorKey } from '../contract.ts';
import { slotOfActor } from '../contract.ts';
import { mergedIds } from '../partition/id-source.ts';
import type { Placement } from '../ports.ts';
import type { AnyKeyspace } from './keyspace.ts';
import type { StorageReader } from './log.ts';
import { deadLetters, effects, identity, meta, type PartitionIdentity, type PartitionMeta, timers } from './machine.ts';
import { type Reader, SnapshotReader } from './reader.ts';
import { type EntryToPut, entryToPut, type Relocation } from './relocation.ts';
import type { Rule, Tally } from './rules.ts';

export interface RepartitionInput {
  readonly from: readonly StorageReader[];
  readonly to: Placement;
  readonly actors: readonly ActorImplementation[];
  /** The keyspaces of the domain. */
  readonly keyspaces: readonly AnyKeyspace[];
  readonly relocations: readonly Relocation[];
  readonly rules: readonly Rule[];
  identityOf(partition: number): PartitionIdentity;
}

const machineKeyspaceMax = 19;
const firstKey = Uint8Array.of(0);
const afterLastKey = Uint8Array.of(0xff, 0xff, 0xff);

/** Throws an Error with a sentence where something cannot be moved. */
export function repartitioned(input: RepartitionInput): Generator<EntryToPut> {
  return new Repartition(input).entries();
}

interface Numbers {
  timers: number;
  effects: number;
  letters: number;
}

class Repartition {
  private readonly input: RepartitionInput;
  private readonly readers: readonly Reader[];
  private readonly byNumber: ReadonlyMap<number, AnyKeyspace>;
  private readonly relocations = new Map<number, Relocation>();
  /** Recomputed counters: by partition, then by the key of the counter in hex. */
  private readonly counts: readonly { readonly tally: Tally; readonly sums: readonly Map<string, number>[] }[];
  private readonly numbers: readonly Numbers[];

  constructor(input: RepartitionInput) {
    this.input = input;
    this.readers = input.from.map((reader) => new SnapshotReader(reader));
    this.byNumber = new Map(input.keyspaces.map((keyspace) => [keyspace.number, keyspace]));
    for (const relocation of input.relocations)
      for (const { number } of relocation.keyspaces) this.relocations.set(number, relocation);
    const { partitions } = input.to;
    this.counts = input.rules
      .filter((rule) => rule.kind === 'tally')
      .filter(({ counter }) => this.relocations.get(counter.number)?.kind === 'counted')
      .map((tally) => ({ tally, sums: Array.from({ length: partitions }, () => new Map<string, number>()) }));
    this.numbers = Array.from({ length: partitions }, () => ({ timers: 0, effects: 0, letters: 0 }));
  }

  *entries(): Generator<EntryToPut> {
    for (const [source, reader] of this.input.from.entries()) {
      for (const { key, value } of reader.range({ start: firstKey, end: afterLastKey })) {
        const entry = { key: Uint8Array.from(key), value: Uint8Array.from(value) };
        const keyspace = this.byNumber.get(entry.key[2]!);
        if (keyspace !== undefined) yield* this.moved(keyspace, entry, this.readers[source]!);
        else if (entry.key[2]! > machineKeyspaceMax) throw new Error('There is an entry of no keyspace.');
      }
    }
    const { to, relocations } = this.input;
    for (const relocation of relocations)
      if (relocation.kind === 'together') yield* relocation.move({ readers: this.readers, to });
    yield* this.counters();
    yield* this.machineEntries();
  }

  private *moved(
    keyspace: AnyKeyspace,
    { key: bytes, value }: Pick<EntryToPut, 'key' | 'value'>,
    reader: Reader,
  ): Generator<EntryToPut> {
    const { to } = this.input;
    const relocation = this.relocations.get(keyspace.number);
    if (relocation?.kind === 'counted' || relocation?.kind === 'together') return;
    const key = keyspace.decode(bytes) as never;
    const stored = keyspace.value.decode(value) as never;
    if (keyspace.partitionWide && relocation?.kind !== 'with slot') throw new Error(`${keyspace.name} cannot be moved`);
    const slot = relocation?.kind === 'with slot' ? relocation.slotOf(key, stored) : (bytes[0]! << 8) | bytes[1]!;
    const partition = to.partitionOf(slot);
    this.count(keyspace, key, stored, { reader, partition });
    const changed = relocation?.kind === 'changed' ? relocation.change(key, stored, reader, to) : undefined;
    yield { partition, key: bytes, value: changed === undefined ? value : keyspace.value.encode(changed as never) };
  }

  private count(
    keyspace: AnyKeyspace,
    key: never,
    value: never,
    { reader, partition }: { readonly reader: Reader; readonly partition: number },
  ): void {
    for (const { tally, sums } of this.counts) {
      for (const counted of tally.counted) {
        if (counted.keyspace.number !== keyspace.number) continue;
        const counter = counted.countsFor(key, value, reader);
        if (counter === undefined) continue;
        const hex = tally.counter.encode(counter as never).toString('hex');
        sums[partition]!.set(hex, (sums[partition]!.get(hex) ?? 0) + 1);
      }
    }
  }

  /** Several tallies may share one record. */
  private *counters(): Generator<EntryToPut> {
    const records = Array.from({ length: this.input.to.partitions }, () => new Map<string, unknown>());
    const codecs = new Map<string, AnyKeyspace>();
    for (const { tally, sums } of this.counts) {
      for (const [partition, counts] of sums.entries()) {
        for (const [hex, count] of counts) {
          codecs.set(hex, tally.counter);
          records[partition]!.set(hex, tally.counts(records[partition]!.get(hex) as never, count));
        }
      }
    }
    for (const [partition, byKey] of records.entries()) {
      for (const [hex, value] of byKey)
        yield { partition, key: Buffer.from(hex, 'hex'), value: codecs.get(hex)!.value.encode(value as never) };
    }
  }

  private *machineEntries(): Generator<EntryToPut> {
    for (const reader of this.readers) {
      for (const { key, value } of reader.range(timers, [])) {
        const partition = this.partitionOfActor(value[0], value[1], 'timers');
        yield entryToPut(partition, timers, [key[0], this.next(partition, 'timers')], value);
      }
      for (const { value } of reader.range(effects, [])) {
        const partition = this.partitionOfActor(value.kind, value.key, 'effects');
        yield entryToPut(partition, effects, [this.next(partition, 'effects')], value);
      }
      for (const { value } of reader.range(deadLetters, [])) {
        const partition = this.partitionOfActor(value.message[0], value.message[1], 'dead letters');
        yield entryToPut(partition, deadLetters, [this.next(partition, 'letters')], value);
      }
    }
    const metas = this.readers.map((reader) => reader.get(meta, [0])).filter((counters) => counters !== undefined);
    for (let partition = 0; partition < this.input.to.partitions; partition += 1) {
      yield entryToPut(partition, meta, [0], this.metaOf(partition, metas));
      yield entryToPut(partition, identity, [0], this.input.identityOf(partition));
    }
  }

  private next(partition: number, what: keyof Numbers): number {
    this.numbers[partition]![what] += 1;
    return this.numbers[partition]![what];
  }

  private partitionOfActor(kind: number, key: ActorKey, what: string): number {
    const actor = this.input.actors.find((candidate) => candidate.kind === kind);
    if (actor?.routing !== 'partition') return this.input.to.partitionOf(slotOfActor(key));
    throw new Error(
      `There are ${what} of a partition itself, which cannot be moved. Dead letters can be sent again or dropped first: murmuration dead-letters list`,
    );
  }

  private metaOf(partition: number, metas: readonly PartitionMeta[]): PartitionMeta {
    const highest = (of: (counters: PartitionMeta) => number) => Math.max(0, ...metas.map(of));
    const commit = highest((counters) => counters.commit) + 1;
    const { timers: timerSequence, effects: effectSequence, letters } = this.numbers[partition]!;
    const archived = metas.reduce((sum, { deadLettersArchived = 0 }) => sum + deadLettersArchived, 0);
    return {
      ...{ commit, inboxSequence: 0, timerSequence, effectSequence, deadLetterSequence: letters, eventBytes: 0 },
      ...mergedIds(metas),
      epoch: this.input.identityOf(partition).epoch,
      deadLettersKept: letters,
      // A total over the partitions: kept by the first.
      deadLettersArchived: partition === 0 ? archived : 0,
      eventsTrimmedCommit: commit,
      eventsTrimmedIndex: Number.MAX_SAFE_INTEGER,
    };
  }
}
