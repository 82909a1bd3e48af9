/**
 * Typed reading, the same for turns (over their layers) and for queries (over snapshots): all code that reads state
 * takes a `Reader`.
 */

import type { Committed } from './committed.ts';
import { DamagedEntry, decodedValue, oddKeyError } from './damaged-entry.ts';
import type { Keyspace } from './keyspace.ts';
import { afterPrefix } from './keyspace.ts';
import { type Layer, lowerBound } from './layer.ts';
import type { RangeOptions, StorageEntry, StorageReader } from './log.ts';

export interface RangeQuery {
  /** Lower bound of the first key part that the prefix leaves open (included). */
  from?: unknown;
  /** Upper bound of that part (excluded). */
  until?: unknown;
  /** Newest (highest) first. */
  reverse?: boolean;
  limit?: number;
}

export interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
}

export interface Reader {
  get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Key): Value | undefined;
  /** Entries whose key begins with `prefix`. Leave the loop soon: an open range pins pages of the file. */
  range<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    prefix: readonly unknown[],
    query?: RangeQuery,
  ): Generator<Entry<Key, Value>>;
}

/** Reads all partitions: keyspaces with slots by key, partition-wide ones one partition at a time. */
export interface ServerReader extends Reader {
  readonly partitions: readonly Reader[];
}

/** The byte bounds of a range. Throws when the prefix fixes fewer parts than the keyspace requires. */
export function boundsOf<Key extends readonly unknown[], Value>(
  space: Keyspace<Key, Value>,
  prefix: readonly unknown[],
  slot: number,
  query: RangeQuery,
): RangeOptions {
  const head = space.prefix(prefix, slot);
  if (head.length < space.scopeBytes) throw new Error(`a range of ${space.name} leaves too many parts open`);
  const start = query.from === undefined ? head : space.prefix([...prefix, query.from], slot);
  const end = query.until === undefined ? afterPrefix(head) : space.prefix([...prefix, query.until], slot);
  return { start, end, reverse: query.reverse ?? false };
}

function keyString(bytes: Uint8Array): string {
  return (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString(
    'latin1',
  );
}

interface RawEntry {
  key: string;
  value: Uint8Array | undefined;
}

function* layerRange(layer: Layer, scope: string, bounds: RangeOptions): Generator<RawEntry> {
  const keys = layer.sortedKeys(scope);
  const first = lowerBound(keys, keyString(bounds.start));
  const last = lowerBound(keys, keyString(bounds.end));
  if (bounds.reverse)
    for (let index = last - 1; index >= first; index -= 1)
      yield { key: keys[index]!, value: layer.entries.get(keys[index]!) };
  else
    for (let index = first; index < last; index += 1)
      yield { key: keys[index]!, value: layer.entries.get(keys[index]!) };
}

function* committedRange(committed: Pick<Committed, 'range'>, bounds: RangeOptions): Generator<RawEntry> {
  for (const entry of committed.range(bounds)) yield { key: keyString(entry.key), value: entry.value };
}

/** Merges layers (newest first) over committed state: for equal keys the newest wins, and tombstones hide. */
export function* mergedRange(
  layers: readonly Layer[],
  committed: Pick<Committed, 'range'>,
  scope: string,
  bounds: RangeOptions,
): Generator<{ key: string; value: Uint8Array }> {
  const sources = layers.map((layer) => layerRange(layer, scope, bounds));
  sources.push(committedRange(committed, bounds));
  const heads = sources.map((source) => source.next().value as RawEntry | undefined);
  // The newest layer may change while the range is open: a turn may delete what it iterates over.
  const newest = layers[0];
  const changes = newest?.changes;
  const before = bounds.reverse ? (a: string, b: string) => a > b : (a: string, b: string) => a < b;
  try {
    for (;;) {
      let best: RawEntry | undefined;
      for (const head of heads)
        if (head !== undefined && (best === undefined || before(head.key, best.key))) best = head;
      if (best === undefined) return;
      for (let index = 0; index < heads.length; index += 1) {
        if (heads[index]?.key === best.key) heads[index] = sources[index]!.next().value as RawEntry | undefined;
      }
      let { value } = best;
      if (newest !== undefined && newest.changes !== changes && newest.entries.has(best.key))
        value = newest.entries.get(best.key);
      if (value !== undefined) yield { key: best.key, value };
    }
  } finally {
    for (const source of sources) source.return(undefined);
  }
}

/** The part of a keyspace that says who may reach its entries. */
export type Reached = Pick<Keyspace<never, never>, 'name' | 'owner' | 'sharedWith' | 'reach'>;

/** The part of a keyspace that says what becomes of an entry that cannot be decoded. */
export type DamageHandling = Pick<Keyspace<never, never>, 'scopeBytes' | 'beginsAnewIfDamaged'>;

/** Reads through layers down to committed state; turns and partitions extend it. */
export abstract class LayeredReader implements Reader {
  private readonly committed: Committed;

  constructor(committed: Committed) {
    this.committed = committed;
  }

  /** Newest first. */
  protected abstract layers(): readonly Layer[];

  /** Throws for a key that this reader may not access; by default all are allowed. */
  protected checkReach(_space: Reached, _key: readonly unknown[], _bytes: Uint8Array): void {
    return;
  }

  /** Throws when reading is no longer allowed. */
  protected checkUse(): void {
    return;
  }

  /** A range has left out an entry whose key is none of its keyspace. */
  protected leftOut(_key: Uint8Array): void {
    return;
  }

  /** An entry cannot be decoded: by default it is thrown. Where this returns, the entry counts as absent. */
  protected damaged(_space: DamageHandling, entry: DamagedEntry): undefined {
    throw entry;
  }

  get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Key): Value | undefined {
    const bytes = space.encodeTransient(key);
    this.checkReach(space, key, bytes);
    const text = bytes.toString('latin1');
    for (const layer of this.layers()) {
      const value = layer.entries.get(text);
      if (value !== undefined) return decodedValue(space, bytes, value);
      if (layer.hasTombstones && layer.entries.has(text)) return undefined;
    }
    try {
      return this.committed.get(space, bytes, text);
    } catch (error) {
      if (error instanceof DamagedEntry) return this.damaged(space, error);
      throw error;
    }
  }

  *range<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    prefix: readonly unknown[],
    query: RangeQuery = {},
  ): Generator<Entry<Key, Value>> {
    const slot = space.partitionWide ? 0 : space.slotOf(prefix);
    const bounds = boundsOf(space, prefix, slot, query);
    this.checkReach(space, prefix, bounds.start);
    const scope = keyString(bounds.start.subarray(0, space.scopeBytes));
    let remaining = query.limit ?? Number.POSITIVE_INFINITY;
    if (remaining <= 0) return;
    for (const entry of mergedRange(this.layers(), this.committed, scope, bounds)) {
      const key = Buffer.from(entry.key, 'latin1');
      if (!space.isKey(key)) {
        this.leftOut(key);
        continue;
      }
      const value = this.decoded(space, key, entry.value);
      if (value === undefined) continue;
      yield { key: space.decode(key), value };
      this.checkUse();
      remaining -= 1;
      if (remaining === 0) return;
    }
  }

  private decoded<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    key: Buffer,
    value: Uint8Array,
  ): Value | undefined {
    try {
      return space.value.decode(value);
    } catch (error) {
      return this.damaged(space, new DamagedEntry(space, key, error));
    }
  }
}

/** Damaged entries that a reader tells of, each once. */
const damageToldMax = 100;

/** A reader met an entry that cannot be decoded. */
export interface MetDamage {
  readonly entry: DamagedEntry;
  /** It was left out: it is only shown (`absentIfDamaged`), or its key is none. Otherwise whatever needs it fails. */
  readonly isLeftOut: boolean;
}

/** For what is derived from all there is: undefined in place of an entry that cannot be decoded, which was told of. */
export function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedEntry) return undefined;
    throw error;
  }
}

/** Reads one committed snapshot. */
export class SnapshotReader implements Reader {
  private readonly snapshot: StorageReader;
  private readonly met: ((damage: MetDamage) => void) | undefined;
  private readonly told = new Set<string>();

  /** With `met`, damaged entries of some keyspaces are left out (`absentIfDamaged`). Without, they all throw. */
  constructor(snapshot: StorageReader, met?: (damage: MetDamage) => void) {
    this.snapshot = snapshot;
    this.met = met;
  }

  get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Key): Value | undefined {
    const stored = this.snapshot.get(space.encodeTransient(key));
    if (stored === undefined) return undefined;
    try {
      return space.value.decode(stored);
    } catch (error) {
      return this.damaged(space, new DamagedEntry(space, space.encode(key), error));
    }
  }

  *range<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    prefix: readonly unknown[],
    query: RangeQuery = {},
  ): Generator<Entry<Key, Value>> {
    const slot = space.partitionWide ? 0 : space.slotOf(prefix);
    const bounds = boundsOf(space, prefix, slot, query);
    // Entries that are left out do not count.
    let remaining = query.limit ?? Number.POSITIVE_INFINITY;
    if (remaining <= 0) return;
    for (const entry of this.snapshot.range(bounds)) {
      const value = this.decoded(space, entry);
      if (value === undefined) continue;
      yield { key: space.decode(entry.key), value };
      remaining -= 1;
      if (remaining === 0) return;
    }
  }

  /** See `Snapshots.slot`. */
  *slot<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    slot: number,
    from?: Key,
  ): Generator<Entry<Key, Value>> {
    const head = space.prefix([], slot);
    const start = from === undefined ? head : space.encode(from);
    for (const entry of this.snapshot.range({ start, end: afterPrefix(head), reverse: false })) {
      const value = unlessDamaged(() => this.decoded(space, entry));
      if (value !== undefined) yield { key: space.decode(entry.key), value };
    }
  }

  private decoded<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    { key, value }: StorageEntry,
  ): Value | undefined {
    if (!space.isKey(key)) {
      this.tell(new DamagedEntry(space, key, oddKeyError()), true);
      return undefined;
    }
    try {
      return space.value.decode(value);
    } catch (error) {
      return this.damaged(space, new DamagedEntry(space, key, error));
    }
  }

  /** Tells of the entry, and throws it unless it counts as absent. */
  protected damaged(
    { absentIfDamaged }: Pick<Keyspace<never, never>, 'absentIfDamaged'>,
    entry: DamagedEntry,
  ): undefined {
    const isLeftOut = absentIfDamaged && this.met !== undefined;
    this.tell(entry, isLeftOut);
    if (!isLeftOut) throw entry;
    return undefined;
  }

  private tell(entry: DamagedEntry, isLeftOut: boolean): void {
    const place = keyString(entry.key);
    if (this.met === undefined || this.told.has(place) || this.told.size >= damageToldMax) return;
    this.told.add(place);
    this.met({ entry, isLeftOut });
  }
}

/** Reads a partition's committed state, sharing its decoded values; for views. */
export class CommittedReader extends SnapshotReader {
  private readonly committed: Committed;

  constructor(committed: Committed, snapshot: StorageReader, met: (damage: MetDamage) => void) {
    super(snapshot, met);
    this.committed = committed;
  }

  override get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Key): Value | undefined {
    try {
      return this.committed.get(space, space.encodeTransient(key));
    } catch (error) {
      if (error instanceof DamagedEntry) return this.damaged(space, error);
      throw error;
    }
  }
}
