/** A map with a bound in bytes: the least recently used entries are evicted first. */
export interface SizedMapOptions<Key, Value> {
  readonly bytesMax: number;
  /** About the size of an entry, without the map's own overhead. */
  bytesOf(value: Value, key: Key): number;
  /** An entry was deleted, replaced or evicted. */
  dropped?(value: Value, key: Key): void;
}

interface Sized<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** The map's own overhead per entry (measured). */
const entryBytes = 100;

export class SizedMap<Key, Value> {
  private readonly options: SizedMapOptions<Key, Value>;
  /** In the order of eviction. */
  private readonly entries = new Map<Key, Sized<Value>>();
  private total = 0;

  constructor(options: SizedMapOptions<Key, Value>) {
    this.options = options;
  }

  get bytes(): number {
    return this.total;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    return this.entries.get(key)?.value;
  }

  /** Reads an entry and makes it the last to be evicted. */
  use(key: Key): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const bytes = entryBytes + this.options.bytesOf(value, key);
    this.entries.set(key, { value, bytes });
    this.total += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.options.bytesMax) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.total -= entry.bytes;
    this.options.dropped?.(entry.value, key);
  }

  clear(): void {
    for (const key of [...this.entries.keys()]) this.delete(key);
  }

  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (const [key, { value }] of this.entries) yield [key, value];
  }
}
