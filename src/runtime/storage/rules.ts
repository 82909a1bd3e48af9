/**
 * What must hold between entries after every commit: indexes lead to their records and back, counters are what they
 * count. Declared beside the keyspaces, looked at by `murmuration check` and at the end of tests.
 *
 * Three kinds. A `rule` holds within a partition at any time: what one turn writes together. An `agreement` is about what
 * several actors know of one thing, each by itself: it holds when no message is on its way. A `tally` is a counter of a
 * whole partition, against a count of all that it counts.
 */
import type { AnyKeyspace, Keyspace } from './keyspace.ts';
import type { Reader, ServerReader } from './reader.ts';

export interface EntryRule {
  readonly kind: 'rule';
  readonly keyspace: AnyKeyspace;
  /** What is wrong with an entry, as the end of a sentence that begins with it; undefined when nothing is. */
  readonly broken: Broken<never, never, Reader>;
}

export interface Agreement {
  readonly kind: 'agreement';
  readonly keyspace: AnyKeyspace;
  readonly broken: Broken<never, never, ServerReader>;
}

export interface Tally {
  readonly kind: 'tally';
  readonly counter: AnyKeyspace;
  /** What is counted, in the plural. */
  readonly what: string;
  said(value: never): number;
  /** The record of the counter that says this; `before` where other tallies count in it too. */
  counts(before: never, count: number): unknown;
  readonly counted: readonly Counted[];
  /** Whether the count of this key is not kept any more, or not yet. */
  isForgotten(key: never, reader: Reader): boolean;
}

export interface Counted {
  readonly keyspace: AnyKeyspace;
  /** The key of the counter that an entry counts for. */
  readonly countsFor: (key: never, value: never, reader: Reader) => readonly unknown[] | undefined;
}

export type Rule = EntryRule | Agreement | Tally;

/** `bytes`: the key as it is stored, because a name in it cannot be read back (keyspace.ts). */
type Broken<Key, Value, From> = (key: Key, value: Value, reader: From, bytes: Uint8Array) => string | undefined;

export function rule<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  broken: Broken<Key, Value, Reader>,
): EntryRule {
  return { kind: 'rule', keyspace: keyspace, broken };
}

export function agreement<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  broken: Broken<Key, Value, ServerReader>,
): Agreement {
  return { kind: 'agreement', keyspace: keyspace, broken };
}

interface TallyDeclaration<CounterKey extends readonly unknown[], CounterValue> {
  readonly counter: Keyspace<CounterKey, CounterValue>;
  readonly what: string;
  said(value: CounterValue): number;
  counts(before: CounterValue | undefined, count: number): CounterValue;
  readonly counted: readonly Counted[];
  isForgotten?(key: CounterKey, reader: Reader): boolean;
}

export function tally<CounterKey extends readonly unknown[], CounterValue>({
  counter,
  isForgotten = () => false,
  ...declared
}: TallyDeclaration<CounterKey, CounterValue>): Tally {
  return { kind: 'tally', counter: counter, isForgotten, ...declared };
}

/** Each entry of the keyspace counts one, for the counter of the key that is answered. */
export function counted<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  countsFor: (key: Key, value: Value, reader: Reader) => readonly unknown[] | undefined,
): Counted {
  return { keyspace: keyspace, countsFor };
}

/** Leads from an entry to its counterpart in another keyspace; undefined for an entry that has none. */
type Way<Key, Value> = (key: Key, value: Value) => readonly unknown[] | undefined;

/** Each entry of one has its counterpart in the other, and that one leads back. */
export function counterparts<
  OneKey extends readonly unknown[],
  OneValue,
  OtherKey extends readonly unknown[],
  OtherValue,
>(
  one: Keyspace<OneKey, OneValue>,
  toOther: Way<OneKey, OneValue>,
  other: Keyspace<OtherKey, OtherValue>,
  toOne: Way<OtherKey, OtherValue>,
): EntryRule[] {
  return [leadsThereAndBack(one, toOther, other, toOne), leadsThereAndBack(other, toOne, one, toOther)];
}

function leadsThereAndBack<
  OneKey extends readonly unknown[],
  OneValue,
  OtherKey extends readonly unknown[],
  OtherValue,
>(
  one: Keyspace<OneKey, OneValue>,
  toOther: Way<OneKey, OneValue>,
  other: Keyspace<OtherKey, OtherValue>,
  toOne: Way<OtherKey, OtherValue>,
): EntryRule {
  return rule(one, (key, value, reader) => {
    const there = toOther(key, value) as OtherKey | undefined;
    if (there === undefined) return undefined;
    const found = reader.get(other, there);
    if (found === undefined) return `has no entry in ${other.name}`;
    const back = toOne(there, found) as OneKey | undefined;
    const isSame = back !== undefined && one.encode(back).equals(one.encode(key));
    return isSame ? undefined : `has an entry in ${other.name} that leads elsewhere`;
  });
}

/** The entries under a prefix. */
export function countEntries<Key extends readonly unknown[], Value>(
  reader: Reader,
  keyspace: Keyspace<Key, Value>,
  prefix: readonly unknown[],
  isCounted: (value: Value) => boolean = () => true,
): number {
  let count = 0;
  for (const { value } of reader.range(keyspace, prefix)) if (isCounted(value)) count += 1;
  return count;
}

/** Whether the key that is stored in these bytes is this one. */
export function isKey<Key extends readonly unknown[]>(
  keyspace: Keyspace<Key, never> | Keyspace<Key, unknown>,
  key: Key,
  bytes: Uint8Array,
): boolean {
  return keyspace.encode(key).equals(bytes);
}

/** "says 3 followers where there are 4" */
export function disagreement(what: string, said: number, counted: number): string | undefined {
  return said === counted ? undefined : `says ${said} ${what} where there are ${counted}`;
}
