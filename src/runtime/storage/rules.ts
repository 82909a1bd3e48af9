/**
 * What must hold between the entries of one partition after every commit: indexes lead to their records and back,
 * counters are what they count. Declared beside the keyspaces, looked at by `murmuration check` and at the end of tests.
 *
 * Only what one turn writes together belongs here: what another actor hears of may still be on its way.
 */
import type { AnyKeyspace, Keyspace } from './keyspace.ts';
import type { Reader } from './reader.ts';

export interface Rule {
  readonly keyspace: AnyKeyspace;
  /** What is wrong with an entry, as the end of a sentence that begins with it; undefined when nothing is. */
  readonly broken: (key: never, value: never, reader: Reader) => string | undefined;
}

export function rule<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  broken: (key: Key, value: Value, reader: Reader) => string | undefined,
): Rule {
  return { keyspace: keyspace as unknown as AnyKeyspace, broken };
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
): Rule[] {
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
): Rule {
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

/** "says 3 followers where there are 4" */
export function disagreement(what: string, said: number, counted: number): string | undefined {
  return said === counted ? undefined : `says ${said} ${what} where there are ${counted}`;
}
