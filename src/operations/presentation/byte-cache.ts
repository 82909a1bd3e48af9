/**
 * A cache by id, bounded in bytes: two generations, the older dropped as a whole when the younger is full. A used entry
 * moves to the younger, so frequently used entries stay, at the cost of one map lookup.
 */
import type { Id } from '../../runtime/ids.ts';
import { IdMap } from './id-map.ts';

export interface CacheEntry {
  readonly bytes: number;
  /** Called when the entry was removed from the cache. */
  dropped?(): void;
}

export class ByteCache<Value extends CacheEntry> {
  private readonly generationBytesMax: number;
  private young = new IdMap<Value>();
  private old = new IdMap<Value>();
  private youngBytes = 0;
  private oldBytes = 0;

  constructor(bytesMax: number) {
    this.generationBytesMax = bytesMax / 2;
  }

  get bytes(): number {
    return this.youngBytes + this.oldBytes;
  }

  get(id: Id): Value | undefined {
    const young = this.young.get(id);
    if (young !== undefined) return young;
    const old = this.old.get(id);
    if (old === undefined) return undefined;
    this.old.delete(id);
    this.oldBytes -= old.bytes;
    this.set(id, old);
    return old;
  }

  /** The value of the id with these halves (see IdMap), if it was used recently; otherwise call `get`. */
  find(low: number, high: number): Value | undefined {
    return this.young.find(low, high);
  }

  /** The cached value has grown, and its own `bytes` include that already. Ignored for a value that is not cached. */
  grew(id: Id, bytes: number): void {
    if (this.young.get(id) !== undefined) {
      this.youngBytes += bytes;
      if (this.youngBytes > this.generationBytesMax) this.rotate();
    } else if (this.old.get(id) !== undefined) this.oldBytes += bytes;
  }

  /** For an id that is not in the cache. */
  set(id: Id, value: Value): void {
    if (this.youngBytes + value.bytes > this.generationBytesMax) this.rotate();
    this.young.set(id, value);
    this.youngBytes += value.bytes;
  }

  delete(id: Id): void {
    const young = this.young.get(id);
    const value = young ?? this.old.get(id);
    if (young !== undefined) this.youngBytes -= young.bytes;
    else if (value !== undefined) this.oldBytes -= value.bytes;
    this.young.delete(id);
    this.old.delete(id);
    value?.dropped?.();
  }

  private rotate(): void {
    drop(this.old);
    this.old = this.young;
    this.oldBytes = this.youngBytes;
    this.young = new IdMap();
    this.youngBytes = 0;
  }

  clear(): void {
    drop(this.young);
    drop(this.old);
    this.young.clear();
    this.old.clear();
    this.youngBytes = 0;
    this.oldBytes = 0;
  }
}

function drop(generation: IdMap<CacheEntry>): void {
  for (const value of generation.values()) value.dropped?.();
}
