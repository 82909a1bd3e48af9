/**
 * What of a partition is on disk, as its turns read it below the layers. Values of keyspaces that many turns read and few
 * write (`remembered`) are kept decoded: finding and decoding a profile costs more than most of the turns that look at it.
 *
 * INVARIANT a remembered value is that of the snapshot: what a batch wrote is forgotten when its commit has come into the
 * snapshot, and until then the layers hide it.
 */
import { partitionLimits } from '../limits.ts';
import type { Keyspace } from './keyspace.ts';
import type { Layer } from './layer.ts';
import type { RangeOptions, StorageEntry, StorageReader } from './log.ts';

export class Committed {
  private readonly snapshot: StorageReader;
  private readonly remembered = new Map<string, unknown>();

  constructor(snapshot: StorageReader) {
    this.snapshot = snapshot;
  }

  /** Frozen where it is remembered: several turns look at the same object. */
  get<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Buffer): Value | undefined {
    if (!space.remembered) return this.read(space, key);
    const text = key.toString('latin1');
    const known = this.remembered.get(text);
    if (known !== undefined) return known as Value;
    const value = this.read(space, key);
    if (value === undefined) return undefined;
    if (this.remembered.size >= partitionLimits.valuesRememberedMax) this.remembered.clear();
    this.remembered.set(text, Object.freeze(value));
    return value;
  }

  range(bounds: RangeOptions): Iterable<StorageEntry> {
    return this.snapshot.range(bounds);
  }

  /** These writes have been committed. */
  landed(layer: Layer): void {
    this.snapshot.refresh();
    for (const key of layer.entries.keys()) this.remembered.delete(key);
  }

  /** Whatever was read before may be wrong. */
  reopen(): void {
    this.snapshot.refresh();
    this.remembered.clear();
  }

  private read<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Buffer): Value | undefined {
    const stored = this.snapshot.get(key);
    return stored === undefined ? undefined : space.value.decode(stored);
  }
}
