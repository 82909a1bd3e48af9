/** Entries whose value cannot be decoded: what is thrown for them, and their names for the operator. */
import type { AnyKeyspace, Keyspace } from './keyspace.ts';

/** An entry cannot be decoded. Whoever needs it fails; others of its partition are not concerned. */
export class DamagedEntry extends Error {
  readonly key: Uint8Array;

  constructor(space: NamedKeyspace, key: Uint8Array, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${nameOfEntry(space, key)} cannot be decoded: ${reason}`, { cause });
    this.name = 'DamagedEntry';
    // The caller may reuse its buffer.
    this.key = Uint8Array.from(key);
  }
}

interface NamedKeyspace {
  readonly name: string;
  decode(key: Uint8Array): readonly unknown[];
  isKey(key: Uint8Array): boolean;
}

/** The place of an entry, in words: `the entry 17, 2 of notes`, or `the key ffff0501 of timers` where that is no key. */
export function nameOfEntry(space: NamedKeyspace, key: Uint8Array): string {
  if (!space.isKey(key)) return `the key ${Buffer.from(key).toString('hex')} of ${space.name}`;
  const parts = space.decode(key).map((part) => (part === '' ? '#' : part));
  return `the entry ${parts.join(', ')} of ${space.name}`;
}

/** Throws DamagedEntry. */
export function decodedValue<Key extends readonly unknown[], Value>(
  space: Keyspace<Key, Value>,
  key: Uint8Array,
  value: Uint8Array,
): Value {
  try {
    return space.value.decode(value);
  } catch (cause) {
    throw new DamagedEntry(space, key, cause);
  }
}

/** Why an entry is left out whose key is none of its keyspace: what it is of cannot be known. */
export function oddKeyError(): Error {
  return new Error('its keyspace has no such keys');
}

/** What keeps a value from being decoded; undefined for one that can be. */
export function damageOf({ value: { decode } }: Pick<AnyKeyspace, 'value'>, value: Uint8Array): unknown {
  try {
    decode(value);
    return undefined;
  } catch (error) {
    return error;
  }
}
