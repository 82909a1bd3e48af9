/**
 * What of a partition is on disk, as its turns read it below the layers. Values of keyspaces that many turns read and few
 * write (`remembered`) are kept decoded: finding and decoding a profile costs more than most of the turns that look at it.
 * Of keyspaces in which most actors have nothing (`sparse`), the empty scopes are kept in mind: a mention asks for blocks
 * and mutes that hardly anybody has.
 *
 * INVARIANT what is kept is true of the snapshot: what a batch wrote is forgotten when its commit has come into the
 * snapshot, and until then the layers hide it.
 */
import { partitionLimits } from '../limits.ts';
import { freezePlainData } from '../plain-data.ts';
import { afterPrefix, type Keyspace } from './keyspace.ts';
import type { Layer } from './layer.ts';
import type { RangeOptions, StorageEntry, StorageReader } from './log.ts';

export class Committed {
  private readonly snapshot: StorageReader;
  private readonly remembered = new Map<string, unknown>();
  private rememberedBytes = 0;
  private readonly emptyScopes = new Set<string>();
  /** How many bytes of a key are its scope, by the number of its keyspace, where that is sparse. */
  private readonly scopeBytes: (number | undefined)[] = [];

  constructor(snapshot: StorageReader) {
    this.snapshot = snapshot;
  }

  /** Frozen throughout where it is remembered: several turns look at the same object. */
  get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Buffer): Value | undefined {
    if (space.sparse) return this.readSparse(space, key);
    if (!space.remembered) return this.read(space, key);
    const text = key.toString('latin1');
    const known = this.remembered.get(text);
    if (known !== undefined) return known as Value;
    const stored = this.snapshot.get(key);
    if (stored === undefined) return undefined;
    this.makeRoom(stored.byteLength);
    const value = freezePlainData(space.value.decode(stored));
    this.remembered.set(text, value);
    return value;
  }

  get rememberedSize(): { readonly values: number; readonly bytes: number } {
    return { values: this.remembered.size, bytes: this.rememberedBytes };
  }

  range(bounds: RangeOptions): Iterable<StorageEntry> {
    return this.snapshot.range(bounds);
  }

  /** These writes have been committed. */
  landed(layer: Layer): void {
    this.snapshot.refresh();
    for (const key of layer.entries.keys()) {
      this.remembered.delete(key);
      const scopeBytes = this.scopeBytes[numberOfKeyspace(key)];
      if (scopeBytes !== undefined) this.emptyScopes.delete(key.slice(0, scopeBytes));
    }
  }

  /** Whatever was read before may be wrong. */
  reopen(): void {
    this.snapshot.refresh();
    this.remembered.clear();
    this.rememberedBytes = 0;
    this.emptyScopes.clear();
  }

  /** Bytes are counted when they come and not when a write takes them away: then everything goes a little earlier. */
  private makeRoom(bytes: number): void {
    const { valuesRememberedMax, valuesRememberedBytesMax } = partitionLimits;
    this.rememberedBytes += bytes;
    if (this.remembered.size < valuesRememberedMax && this.rememberedBytes <= valuesRememberedBytesMax) return;
    this.remembered.clear();
    this.rememberedBytes = bytes;
  }

  private readSparse<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    key: Buffer,
  ): Value | undefined {
    const scope = key.toString('latin1', 0, space.scopeBytes);
    if (this.emptyScopes.has(scope)) return undefined;
    const value = this.read(space, key);
    if (value === undefined && this.isEmpty(key.subarray(0, space.scopeBytes))) {
      if (this.emptyScopes.size >= partitionLimits.emptyScopesMax) this.emptyScopes.clear();
      this.emptyScopes.add(scope);
      this.scopeBytes[space.number] = space.scopeBytes;
    }
    return value;
  }

  private isEmpty(scope: Buffer): boolean {
    for (const _entry of this.snapshot.range({ start: scope, end: afterPrefix(scope), reverse: false, limit: 1 }))
      return false;
    return true;
  }

  private read<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Buffer): Value | undefined {
    const stored = this.snapshot.get(key);
    return stored === undefined ? undefined : space.value.decode(stored);
  }
}

/** A key begins with its slot (2 bytes) and the number of its keyspace. */
function numberOfKeyspace(key: string): number {
  return key.charCodeAt(2);
}
