/** Checks a partition that is not being written: every key, every value, and every rule between them. */
import { slotOfId } from '../ids.ts';
import type { Placement } from '../ports.ts';
import { AwaitedMessages } from './awaited.ts';
import { nameOfEntry } from './damaged-entry.ts';
import { type AnyKeyspace, afterLastKey, partitionSlot } from './keyspace.ts';
import type { StorageEntry, StorageReader } from './log.ts';
import { type ServerReader, SnapshotReader } from './reader.ts';
import { type Agreement, type Awaiting, disagreement, type EntryRule, type Rule, type Tally } from './rules.ts';

export interface CheckInput {
  readonly partition: number;
  readonly placement: Placement;
  readonly reader: StorageReader;
  /** All keyspaces that may occur, the runtime's own included. */
  readonly keyspaces: readonly AnyKeyspace[];
  readonly rules: readonly Rule[];
  /** Given where no message is on its way: then what actors know of each other is compared too. */
  readonly server?: ServerReader | undefined;
}

export interface CheckOutcome {
  readonly entries: number;
  readonly wrong: number;
  /** One sentence each, for the first problems found. */
  readonly problems: readonly string[];
}

const problemsToldMax = 100;
const firstKey = Uint8Array.of(0);

export function checkPartition(input: CheckInput): CheckOutcome {
  const check = new PartitionCheck(input);
  for (const entry of input.reader.range({ start: firstKey, end: afterLastKey })) {
    // Copied: the reads of the rules use the same library buffer.
    check.look({ key: Uint8Array.from(entry.key), value: Uint8Array.from(entry.value) });
  }
  return check.finish();
}

/** The rules for entries of one keyspace. */
interface KeyspaceRules {
  readonly keyspace: AnyKeyspace;
  readonly rules: (EntryRule | Agreement | Awaiting)[];
  readonly counts: { readonly sums: TallySums; readonly countsFor: Tally['counted'][number]['countsFor'] }[];
  readonly said: TallySums[];
}

/** By the key of the counter, in hex. */
interface TallySums {
  readonly tally: Tally;
  readonly said: Map<string, number>;
  readonly counted: Map<string, number>;
}

function rulesByNumber({ keyspaces, rules }: CheckInput, tallies: readonly TallySums[]) {
  const byNumber = new Map<number, KeyspaceRules>();
  for (const keyspace of keyspaces) byNumber.set(keyspace.number, { keyspace, rules: [], counts: [], said: [] });
  const of = ({ number }: AnyKeyspace) => byNumber.get(number);
  for (const rule of rules) if (rule.kind !== 'tally') of(rule.keyspace)?.rules.push(rule);
  for (const sums of tallies) {
    const { counted, counter } = sums.tally;
    for (const { keyspace, countsFor } of counted) of(keyspace)?.counts.push({ sums, countsFor });
    of(counter)?.said.push(sums);
  }
  return byNumber;
}

class PartitionCheck {
  private readonly input: CheckInput;
  private readonly reader: SnapshotReader;
  private readonly byNumber: ReadonlyMap<number, KeyspaceRules>;
  private readonly tallies: readonly TallySums[];
  private readonly awaited: AwaitedMessages;
  private readonly problems: string[] = [];
  private readonly counts = new Map<AnyKeyspace, Map<string, number>>();
  /** Entries looked at, and how many of them are wrong. */
  private readonly sum = { entries: 0, wrong: 0 };

  constructor(input: CheckInput) {
    this.input = input;
    this.reader = new SnapshotReader(input.reader);
    this.tallies = input.rules
      .filter((rule) => rule.kind === 'tally')
      .map((tally) => ({ tally, said: new Map(), counted: new Map() }));
    const awaiting = input.rules.filter((rule) => rule.kind === 'awaits');
    this.awaited = new AwaitedMessages(this.reader, awaiting);
    this.byNumber = rulesByNumber(input, this.tallies);
  }

  look(entry: StorageEntry): void {
    this.sum.entries += 1;
    for (const problem of this.problemsOf(entry)) this.complain(problem);
  }

  finish(): CheckOutcome {
    for (const sums of this.tallies) this.compare(sums);
    for (const [keyspace, scopes] of this.counts)
      for (const count of scopes.values()) this.compareBound(keyspace, count);
    return { ...this.sum, problems: this.problems };
  }

  private complain(problem: string): void {
    this.sum.wrong += 1;
    if (this.problems.length < problemsToldMax) this.problems.push(problem);
  }

  private problemsOf({ key, value }: StorageEntry): string[] {
    const found = this.byNumber.get(key[2]!);
    if (found === undefined) return [`The key ${hexOf(key)} belongs to no keyspace.`];
    const { keyspace } = found;
    this.count(keyspace, key);
    const misplaced = misplacementOf(key, keyspace, this.input);
    if (misplaced !== undefined) return [`The key ${hexOf(key)} of ${keyspace.name} ${misplaced}.`];
    const name = nameOf(keyspace, key);
    let decoded: unknown;
    try {
      decoded = keyspace.value.decode(value);
    } catch (error) {
      return [`${name} cannot be decoded: ${messageOf(error)}.`];
    }
    if (!isAsWritten(keyspace, decoded, value)) return [`${name} is not what it should be.`];
    const parsed = keyspace.value.schema?.safeParse(decoded);
    if (parsed?.success === false) {
      const [issue] = parsed.error.issues;
      return [`${name} is not what it should be: ${issue?.path.join('.')}: ${issue?.message}.`];
    }
    return this.broken(found, key, decoded).map((problem) => `${name} ${problem}.`);
  }

  private broken({ keyspace, rules, counts, said }: KeyspaceRules, bytes: Uint8Array, value: unknown): string[] {
    const key = keyspace.decode(bytes) as never;
    const { server } = this.input;
    const problems = rules.map((rule) =>
      attempt(() => {
        if (rule.kind === 'rule') return rule.broken(key, value as never, this.reader, bytes);
        if (rule.kind === 'awaits')
          return rule.isAwaiting(key, value as never, this.reader)
            ? this.awaited.missingFor(rule, key, bytes)
            : undefined;
        return server === undefined ? undefined : rule.broken(key, value as never, server, bytes);
      }),
    );
    for (const { tally, said: sums } of said) sums.set(hexOf(bytes), tally.said(value as never));
    for (const { sums, countsFor } of counts) {
      problems.push(
        attempt(() => {
          const counter = countsFor(key, value as never, this.reader);
          if (counter === undefined) return undefined;
          const hex = hexOf(sums.tally.counter.encode(counter as never));
          sums.counted.set(hex, (sums.counted.get(hex) ?? 0) + 1);
          return undefined;
        }),
      );
    }
    return problems.filter((problem) => problem !== undefined);
  }

  /** A bound by count holds for each actor, or for the partition. */
  private count(keyspace: AnyKeyspace, key: Uint8Array): void {
    if (keyspace.bound.by !== 'count') return;
    const scopes = this.counts.get(keyspace) ?? new Map<string, number>();
    this.counts.set(keyspace, scopes);
    const scope = hexOf(key.subarray(0, keyspace.scopeBytes));
    scopes.set(scope, (scopes.get(scope) ?? 0) + 1);
  }

  private compareBound({ name, bound }: AnyKeyspace, count: number): void {
    if (bound.by !== 'count' || (bound.atRest === true && this.input.server === undefined)) return;
    if (count > bound.entries) this.complain(`There are ${count} entries of ${name} where ${bound.entries} may be.`);
  }

  private compare({ tally, said, counted }: TallySums): void {
    for (const hex of new Set([...said.keys(), ...counted.keys()])) {
      const bytes = Buffer.from(hex, 'hex');
      const problem = disagreement(tally.what, said.get(hex) ?? 0, counted.get(hex) ?? 0);
      if (problem === undefined || tally.isForgotten(tally.counter.decode(bytes) as never, this.reader)) continue;
      this.complain(`${nameOf(tally.counter, bytes)} ${problem}.`);
    }
  }
}

/** A codec without a schema may read anything as a value: such a value is written again. */
function isAsWritten({ value: { schema, encode } }: AnyKeyspace, decoded: unknown, bytes: Uint8Array): boolean {
  return schema !== undefined || Buffer.compare(encode(decoded), bytes) === 0;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function nameOf(keyspace: AnyKeyspace, key: Uint8Array): string {
  const name = nameOfEntry(keyspace, key);
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A rule reads other entries too, and these may be unreadable. */
function attempt(look: () => string | undefined): string | undefined {
  try {
    return look();
  } catch (error) {
    return `leads to something that cannot be read: ${messageOf(error)}`;
  }
}

function misplacementOf(key: Uint8Array, keyspace: AnyKeyspace, { partition, placement }: CheckInput) {
  const bytes = keyspace.parts.reduce((sum, part) => sum + part.bytes, 3);
  if (key.byteLength !== bytes) return `has ${key.byteLength} bytes, not ${bytes}`;
  if (!keyspace.isKey(key)) return 'has a number that is too large';
  const slot = (key[0]! << 8) | key[1]!;
  if (keyspace.partitionWide) return slot === partitionSlot ? undefined : 'is not one of a partition';
  const [first] = keyspace.parts;
  const wanted = first!.kind === 'id' ? slotOfId(first!.read(key, 3) as bigint) : (key[3]! << 2) | (key[4]! >> 6);
  if (slot !== wanted) return `is in slot ${slot}, not ${wanted}`;
  const home = placement.partitionOf(slot);
  return home === partition ? undefined : `belongs to partition ${home}`;
}
