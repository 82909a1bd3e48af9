/**
 * What must hold between entries after every commit: indexes and records refer to each other, and counters are right.
 * Declared beside the keyspaces, verified by `murmuration check` and at the end of tests.
 *
 * There are four kinds. A `rule` holds within a partition at any time: what one turn writes together. An `agreement`
 * compares what two actors store about one thing, each by itself: it holds when no message is on its way. A `tally`
 * compares a partition-wide counter with a count of the entries that it counts. An entry that `awaits` a message has a
 * timer, or a message or effect that waits, without which nothing would ever change or remove it.
 */
import { present } from '../codec.ts';
import type { AnyKeyspace, Keyspace } from './keyspace.ts';
import type { Reader, ServerReader } from './reader.ts';

export interface EntryRule {
  readonly kind: 'rule';
  readonly keyspace: AnyKeyspace;
  /** What is wrong with an entry, as the end of a sentence that begins with it; undefined when nothing is. */
  readonly broken: Broken<never, never, Reader>;
  /** The bound by age of this keyspace is what it verifies. */
  readonly verifiesAge?: boolean;
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
  /** The counter's record with this count; `before` where other tallies share the record. */
  counts(before: never, count: number): unknown;
  readonly counted: readonly Counted[];
  /** Whether the count under this key is no longer kept, or not yet. */
  isForgotten(key: never, reader: Reader): boolean;
}

export interface Counted {
  readonly keyspace: AnyKeyspace;
  /** The key of the counter that counts this entry. */
  readonly countsFor: (key: never, value: never, reader: Reader) => readonly unknown[] | undefined;
}

/** A message of a contract. */
interface AwaitedMessage {
  readonly kind: number;
  readonly number: number;
  readonly name: string;
}

export interface Awaiting {
  readonly kind: 'awaits';
  readonly keyspace: AnyKeyspace;
  /** Any of them will do. They go to the actor whose key is the first part of the entry's. */
  readonly messages: readonly AwaitedMessage[];
  isAwaiting(key: never, value: never, reader: Reader): boolean;
  /** Whether the message with this body is the one for this entry; `bytes` as in `Broken`. */
  isMeant(key: never, body: never, bytes: Uint8Array): boolean;
}

export type Rule = EntryRule | Agreement | Tally | Awaiting;

/** `bytes`: the key as stored, because a hashed name in it cannot be read back (keyspace.ts). */
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

interface AwaitingDeclaration<Key, Value> {
  isAwaiting?(key: Key, value: Value, reader: Reader): boolean;
  /** The body is that of the message, or the request of the effect that it answers. */
  isMeant?(key: Key, body: never, bytes: Uint8Array): boolean;
}

export function awaits<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  messages: Awaiting['messages'],
  { isAwaiting = () => true, isMeant = () => true }: AwaitingDeclaration<Key, Value> = {},
): Awaiting {
  return { kind: 'awaits', keyspace, messages, isAwaiting, isMeant };
}

interface Trimming<Value> {
  readonly milliseconds: number;
  /** How many may be written after the first one has reached its age, and before it is removed. */
  readonly overtakenMax: number;
  /** In milliseconds since 1970. */
  writtenAt(value: Value): number;
}

/** A numbered log from which later writes, or those who read it, remove what is too old. */
export function trimmed<Value>(
  log: Keyspace<[number], Value>,
  { milliseconds, overtakenMax, writtenAt }: Trimming<Value>,
): EntryRule {
  const keys: Keyspace<[number], true> = { ...log, value: present };
  const broken: Broken<[number], Value, Reader> = ([number], _value, reader) => {
    for (const { key } of reader.range(keys, [], { limit: 1 })) if (key[0] !== number) return undefined;
    const until = writtenAt(reader.get(log, [number])!) + milliseconds;
    let later = 0;
    for (const { value } of reader.range(log, [], { from: number + 1 })) if (writtenAt(value) > until) later += 1;
    return later <= overtakenMax ? undefined : `is still there ${later} entries after its time`;
  };
  return { ...rule(log, broken), verifiesAge: true };
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

/** Each entry of the keyspace adds one to the counter under the key returned. */
export function counted<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  countsFor: (key: Key, value: Value, reader: Reader) => readonly unknown[] | undefined,
): Counted {
  return { keyspace: keyspace, countsFor };
}

/** From an entry to the key of its counterpart in another keyspace; undefined for an entry that has none. */
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

/** The number of entries under a prefix. */
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

/** Whether these stored bytes are this key. */
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
