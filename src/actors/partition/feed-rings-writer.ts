/** Writes the rings of feeds, under the invariants in feed-rings.queries.ts. */
import type { Id } from '../../runtime/ids.ts';
import {
  countField,
  deletedKey,
  emptyKey,
  filling,
  headerFields,
  type RingMemory,
  RingViews,
  ready,
  startField,
  stateField,
  usedField,
  versionField,
  wholeField,
} from './feed-rings.queries.ts';

export class RingWriter extends RingViews {
  /** Per ring: no id at or below it is added (invariant 3). */
  private readonly floors: BigUint64Array;
  private readonly generations: Float64Array;
  private readonly lastGeneration: Float64Array;
  private deletedKeys = 0;

  /** In memory that had a writer before, call `reset` first. */
  constructor(memory: RingMemory) {
    super(memory);
    this.floors = new BigUint64Array(memory.rings);
    this.generations = new Float64Array(memory.rings);
    this.lastGeneration = new Float64Array(memory.lastGeneration);
  }

  /** Frees every ring, whatever state an earlier writer left, even one that died during a change. */
  reset(): void {
    // Memory without an earlier writer is empty: initialising each ring would take time at every start.
    if (this.newestGeneration === 0) return;
    this.table.fill(emptyKey);
    this.deletedKeys = 0;
    for (let ring = 0; ring < this.rings; ring += 1) this.vacate(ring);
  }

  /** 0 for a free ring. */
  feedIdOf(ring: number): Id {
    return this.feedIds[ring]!;
  }

  /** When a reader last used the ring, in seconds. */
  usedAt(ring: number): number {
    return this.headers[ring * headerFields + usedField]! >>> 0;
  }

  generationOf(ring: number): number {
    return this.generations[ring]!;
  }

  /** The last generation given to any ring. */
  get newestGeneration(): number {
    return this.lastGeneration[0]!;
  }

  /** Gives a free ring to a feed that has none; it is empty, and not ready until `markReady`. */
  assign(ring: number, feedId: Id, nowSeconds: number): void {
    this.begin(ring);
    this.feedIds[ring] = feedId;
    this.clear(ring);
    // Touches the memory now, one ring at a time, instead of when one post is added to a hundred thousand rings.
    this.ids[ring * this.entries] = emptyKey;
    this.headers[ring * headerFields + usedField] = nowSeconds;
    this.end(ring);
    this.insertKey(feedId, ring);
  }

  release(ring: number): void {
    const feedId = this.feedIds[ring]!;
    this.vacate(ring);
    this.removeKey(feedId);
  }

  isReady(ring: number): boolean {
    return this.headers[ring * headerFields + stateField] === ready;
  }

  /** Drops the content: the ring must be filled again. */
  empty(ring: number): void {
    this.begin(ring);
    this.clear(ring);
    this.end(ring);
  }

  /** `whole` when nothing exists that is older than the ring's content since it was emptied. */
  markReady(ring: number, whole: boolean): void {
    const header = ring * headerFields;
    const { headers } = this;
    this.begin(ring);
    headers[header + stateField] = ready;
    if (!whole) {
      headers[header + wholeField] = 0;
      if (headers[header + countField]! > 0) this.raiseFloor(ring, this.at(ring, 0) - 1n);
    }
    this.end(ring);
  }

  /** Adds an id in order; one that is present or too old (invariant 3) changes nothing. */
  add(ring: number, id: Id): void {
    const header = ring * headerFields;
    const { headers, ids, entries } = this;
    if (id <= this.floors[ring]!) return;
    const base = ring * entries;
    const start = headers[header + startField]!;
    const count = headers[header + countField]!;
    const last = count === 0 ? 0n : ids[base + ((start + count - 1) % entries)]!;
    if (id === last) return;
    this.begin(ring);
    if (id < last) this.insertLate(ring, id);
    else {
      const place = base + ((start + count) % entries);
      if (count < entries) headers[header + countField] = count + 1;
      else {
        this.drop(ring, ids[place]!);
        headers[header + startField] = (start + 1) % entries;
      }
      ids[place] = id;
    }
    this.end(ring);
  }

  remove(ring: number, id: Id): void {
    const header = ring * headerFields;
    const position = this.positionOf(ring, id);
    const count = this.headers[header + countField]!;
    if (position >= count || this.at(ring, position) !== id) return;
    this.begin(ring);
    for (let index = position; index < count - 1; index += 1) this.set(ring, index, this.at(ring, index + 1));
    this.headers[header + countField] = count - 1;
    this.end(ring);
  }

  /**
   * Ids of different slots arrive slightly out of order: the place is near the newest, and newer ids move up by one.
   */
  private insertLate(ring: number, id: Id): void {
    const header = ring * headerFields;
    let count = this.headers[header + countField]!;
    let position = count;
    while (position > 0 && this.at(ring, position - 1) > id) position -= 1;
    if (position > 0 && this.at(ring, position - 1) === id) return;
    if (count === this.entries) {
      this.drop(ring, position === 0 ? id : this.at(ring, 0));
      if (position === 0) return;
      this.headers[header + startField] = (this.headers[header + startField]! + 1) % this.entries;
      count -= 1;
      position -= 1;
    }
    for (let index = count; index > position; index -= 1) this.set(ring, index, this.at(ring, index - 1));
    this.set(ring, position, id);
    this.headers[header + countField] = count + 1;
  }

  /** There is no room for an id that belongs here. */
  private drop(ring: number, id: Id): void {
    this.headers[ring * headerFields + wholeField] = 0;
    this.raiseFloor(ring, id);
  }

  private raiseFloor(ring: number, id: Id): void {
    if (id > this.floors[ring]!) this.floors[ring] = id;
  }

  /** The position of the first id not below `id`. */
  private positionOf(ring: number, id: Id): number {
    let low = 0;
    let high = this.headers[ring * headerFields + countField]!;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(ring, middle) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private at(ring: number, position: number): Id {
    return this.ids[
      ring * this.entries + ((this.headers[ring * headerFields + startField]! + position) % this.entries)
    ]!;
  }

  private set(ring: number, position: number, id: Id): void {
    this.ids[ring * this.entries + ((this.headers[ring * headerFields + startField]! + position) % this.entries)] = id;
  }

  private vacate(ring: number): void {
    this.begin(ring);
    this.feedIds[ring] = emptyKey;
    this.clear(ring);
    this.end(ring);
  }

  private clear(ring: number): void {
    const header = ring * headerFields;
    this.lastGeneration[0]! += 1;
    this.generations[ring] = this.lastGeneration[0]!;
    this.floors[ring] = 0n;
    this.headers[header + stateField] = filling;
    this.headers[header + startField] = 0;
    this.headers[header + countField] = 0;
    this.headers[header + wholeField] = 1;
  }

  /**
   * From here on the version is odd, whatever it was, and no write from below may move above. `or` alone does not
   * guarantee that: ARM without atomic instructions implements it as a load and a store, and a later write may overtake
   * the store. A later load may not, and nothing overtakes that load.
   */
  private begin(ring: number): void {
    Atomics.or(this.headers, ring * headerFields + versionField, 1);
    Atomics.load(this.headers, ring * headerFields + versionField);
  }

  private end(ring: number): void {
    Atomics.add(this.headers, ring * headerFields + versionField, 1);
  }

  private insertKey(feedId: Id, ring: number): void {
    let bucket = this.bucketOf(feedId);
    while (this.table[bucket] !== emptyKey && this.table[bucket] !== deletedKey) bucket = this.next(bucket);
    if (this.table[bucket] === deletedKey) this.deletedKeys -= 1;
    this.tableRings[bucket] = ring;
    this.table[bucket] = feedId;
  }

  private removeKey(feedId: Id): void {
    let bucket = this.bucketOf(feedId);
    while (this.table[bucket] !== feedId) {
      if (this.table[bucket] === emptyKey) return;
      bucket = this.next(bucket);
    }
    this.table[bucket] = deletedKey;
    this.deletedKeys += 1;
    if (this.deletedKeys > this.table.length / 4) this.rebuildTable();
  }

  /** A reader finds nothing meanwhile, and reads storage (invariant 5). */
  private rebuildTable(): void {
    this.table.fill(emptyKey);
    this.deletedKeys = 0;
    for (let ring = 0; ring < this.rings; ring += 1) {
      if (this.feedIds[ring] !== emptyKey) this.insertKey(this.feedIds[ring]!, ring);
    }
  }
}
