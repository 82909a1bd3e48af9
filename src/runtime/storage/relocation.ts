/**
 * How entries move to other partitions. Entries of a slot move with it, unchanged by default; every partition-wide
 * keyspace declares a relocation (a test holds this).
 */
import type { Placement } from '../ports.ts';
import type { AnyKeyspace, Keyspace } from './keyspace.ts';
import type { Reader } from './reader.ts';

export interface EntryToPut {
  readonly partition: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface MoveInput {
  readonly readers: readonly Reader[];
  readonly to: Placement;
}

export type Relocation = { readonly keyspaces: readonly AnyKeyspace[] } & (
  | { readonly kind: 'with slot'; readonly slotOf: (key: never, value: never) => number }
  /** An entry of a slot that refers to partitions. */
  | {
      readonly kind: 'changed';
      readonly change: (key: never, value: never, reader: Reader, to: Placement) => unknown;
    }
  /** Recomputed from the entries that its tallies count. */
  | { readonly kind: 'counted' }
  /** Keyspaces that must move together. */
  | { readonly kind: 'together'; readonly move: (input: MoveInput) => Iterable<EntryToPut> }
);

export function withSlot<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  slotOf: (key: Key, value: Value) => number,
): Relocation {
  return { kind: 'with slot', keyspaces: [keyspace], slotOf };
}

export function changed<Key extends readonly unknown[], Value>(
  keyspace: Keyspace<Key, Value>,
  change: (key: Key, value: Value, reader: Reader, to: Placement) => Value,
): Relocation {
  return { kind: 'changed', keyspaces: [keyspace], change };
}

export function countedAnew<Key extends readonly unknown[], Value>(keyspace: Keyspace<Key, Value>): Relocation {
  return { kind: 'counted', keyspaces: [keyspace] };
}

export function entryToPut<Key extends readonly unknown[], Value>(
  partition: number,
  space: Keyspace<Key, Value>,
  key: Key,
  value: Value,
): EntryToPut {
  return { partition, key: space.encode(key), value: space.value.encode(value) };
}
