/** A map that holds no more than so many bytes: the entries that were set or used longest ago go first. */
export interface SizedMapOptions<Key, Value> {
  readonly bytesMax: number;
  /** About what an entry takes, the map's own part of it left out. */
  bytesOf(value: Value, key: Key): number;
  /** An entry is gone, whether it was deleted, replaced or had to make room. */
  dropped?(value: Value, key: Key): void;
}

interface Sized<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** Of the map itself, for each entry (measured). */
const entryBytes = 100;

export class SizedMap<Key, Value> {
  private readonly options: SizedMapOptions<Key, Value>;
  /** The one that goes first is first. */
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

  /** The same, and the entry is the last to go from now on. */
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
