/**
 * The committed state of a partition, as turns read it below the layers. Values of keyspaces that are read often and
 * written rarely (`remembered`) are kept decoded: finding and decoding a profile costs more than most turns that read
 * it. Of keyspaces in which most actors have nothing (`sparse`), the empty scopes are remembered: a mention checks
 * blocks and mutes that hardly anybody has.
 *
 * INVARIANT what is kept equals the snapshot: values that a batch wrote are forgotten when the snapshot includes its
 * commit, and until then the layers hide them.
 */
import { partitionLimits } from '../limits.ts';
import { freezePlainData } from '../plain-data.ts';
import { decodedValue } from './damaged-entry.ts';
import { EmptyScopes, type SparseKeyspace } from './empty-scopes.ts';
import { afterPrefix, type Keyspace, numberOfKeyspace } from './keyspace.ts';
import type { Layer } from './layer.ts';
import type { RangeOptions, StorageEntry, StorageReader } from './log.ts';

export class Committed {
  private readonly snapshot: StorageReader;
  private readonly remembered = new Map<string, unknown>();
  private rememberedBytes = 0;
  /** By keyspace number: whether any value of it was ever remembered. */
  private readonly isRemembered: boolean[] = [];
  private readonly emptyScopes: EmptyScopes;

  constructor(snapshot: StorageReader, moreEmptyScopesBytes = 0) {
    this.snapshot = snapshot;
    this.emptyScopes = new EmptyScopes(partitionLimits.emptyScopesBytesMin + moreEmptyScopesBytes);
  }

  /** A remembered value is deeply frozen, because several turns share it. `text`: the key as layers have it. */
  get<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    key: Buffer,
    text = key.toString('latin1'),
  ): Value | undefined {
    if (space.sparse) return this.readSparse(space, key, text);
    if (!space.remembered) return this.read(space, key);
    const known = this.remembered.get(text);
    if (known !== undefined) return known as Value;
    const stored = this.snapshot.get(key);
    if (stored === undefined) return undefined;
    this.makeRoom(stored.byteLength);
    this.isRemembered[space.number] = true;
    const value = freezePlainData(decodedValue(space, key, stored));
    this.remembered.set(text, value);
    return value;
  }

  /** See `EmptyScopes`. */
  emptiesOf(scope: string): number {
    return this.emptyScopes.bitsOf(scope);
  }

  emptyBitOf(space: Pick<SparseKeyspace, 'number'>): number {
    return this.emptyScopes.bitIn(space);
  }

  get rememberedSize(): { readonly values: number; readonly bytes: number } {
    return { values: this.remembered.size, bytes: this.rememberedBytes };
  }

  range(bounds: RangeOptions): Iterable<StorageEntry> {
    return this.snapshot.range(bounds);
  }

  /** The snapshot includes these writes now. */
  landed(layer: Layer): void {
    this.snapshot.refresh();
    for (const key of layer.entries.keys()) {
      if (this.isRemembered[numberOfKeyspace(key)] === true) this.remembered.delete(key);
      this.emptyScopes.written(key);
    }
  }

  /** Forgets everything: it may be out of date. */
  reopen(): void {
    this.snapshot.refresh();
    this.remembered.clear();
    this.rememberedBytes = 0;
    this.emptyScopes.clear();
  }

  /** Only added bytes are counted, not removed ones: eviction then comes a little early. */
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
    text: string,
  ): Value | undefined {
    if (this.emptyScopes.has(space, text)) return undefined;
    // Mostly there is nothing at all: asked first, that takes one look at the disk.
    if (!this.isEmpty(key.subarray(0, space.scopeBytes))) return this.read(space, key);
    this.emptyScopes.add(space, text);
    return undefined;
  }

  private isEmpty(scope: Buffer): boolean {
    for (const _entry of this.snapshot.range({ start: scope, end: afterPrefix(scope), reverse: false, limit: 1 }))
      return false;
    return true;
  }

  private read<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Buffer): Value | undefined {
    const stored = this.snapshot.get(key);
    return stored === undefined ? undefined : decodedValue(space, key, stored);
  }
}
