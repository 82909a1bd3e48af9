/**
 * Rings of sorted 64-bit ids in shared memory: one writer (the owner of the partition), readers in every other thread,
 * no locks. A ring belongs to one account at a time and is found through an open-addressed table.
 *
 * INVARIANTS
 * 1. A ring's version is odd while it is being changed and grows with every change: a reader copies, then compares, and
 *    takes a copy only when version and account are what they were before.
 * 2. Ids of a ring ascend, each once. A full ring drops its oldest and is from then on not whole.
 * 3. A reader that finds nothing, or nothing stable, reads storage instead: the rings are a cache.
 */
import type { Id } from './ids.ts';

export interface RingMemory {
  readonly rings: number;
  readonly entries: number;
  readonly headers: SharedArrayBuffer;
  readonly accounts: SharedArrayBuffer;
  readonly ids: SharedArrayBuffer;
  readonly table: SharedArrayBuffer;
  readonly tableRings: SharedArrayBuffer;
}

const headerFields = 8;
const versionField = 0;
const stateField = 1;
const startField = 2;
const countField = 3;
const wholeField = 4;
const usedField = 5;
const generationField = 6;

const filling = 0;
const ready = 1;

const emptyKey = 0n;
const deletedKey = 1n;
const readAttempts = 8;

export function allocateRings(rings: number, entries: number): RingMemory {
  const tableSize = tableSizeFor(rings);
  return {
    rings,
    entries,
    headers: new SharedArrayBuffer(rings * headerFields * 4),
    accounts: new SharedArrayBuffer(rings * 8),
    ids: new SharedArrayBuffer(rings * entries * 8),
    table: new SharedArrayBuffer(tableSize * 8),
    tableRings: new SharedArrayBuffer(tableSize * 4),
  };
}

/** A power of two that leaves the table at most half full. */
function tableSizeFor(rings: number): number {
  let size = 16;
  while (size < rings * 2) size *= 2;
  return size;
}

export interface RingCopy {
  /** Ascending. */
  readonly ids: BigUint64Array;
  /** True while nothing older than the first id has been dropped: the ring is all there is. */
  readonly whole: boolean;
}

class RingViews {
  readonly rings: number;
  readonly entries: number;
  protected readonly headers: Int32Array;
  protected readonly accounts: BigUint64Array;
  protected readonly ids: BigUint64Array;
  protected readonly table: BigUint64Array;
  protected readonly tableRings: Int32Array;
  private readonly mask: number;

  constructor(memory: RingMemory) {
    this.rings = memory.rings;
    this.entries = memory.entries;
    this.headers = new Int32Array(memory.headers);
    this.accounts = new BigUint64Array(memory.accounts);
    this.ids = new BigUint64Array(memory.ids);
    this.table = new BigUint64Array(memory.table);
    this.tableRings = new Int32Array(memory.tableRings);
    this.mask = this.table.length - 1;
  }

  /** The ring of an account, or -1. */
  find(account: Id): number {
    for (
      let place = this.placeOf(account), steps = 0;
      steps <= this.mask;
      place = (place + 1) & this.mask, steps += 1
    ) {
      const key = this.table[place]!;
      if (key === account) return this.tableRings[place]!;
      if (key === emptyKey) return -1;
    }
    return -1;
  }

  protected placeOf(account: Id): number {
    // Ids differ in their time and slot bits: multiply to spread both over the table.
    const low = Number(account & 0xffff_ffffn);
    const high = Number(account >> 32n);
    return ((Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca6b)) >>> 7) & this.mask;
  }

  protected next(place: number): number {
    return (place + 1) & this.mask;
  }
}

export class RingReader extends RingViews {
  /** The ids of an account's ring; undefined when it has none that is ready. `now` in seconds marks it as in use. */
  read(account: Id, nowSeconds: number): RingCopy | undefined {
    const ring = this.find(account);
    if (ring < 0) return undefined;
    const header = ring * headerFields;
    const { headers, entries } = this;
    for (let attempt = 0; attempt < readAttempts; attempt += 1) {
      const version = Atomics.load(headers, header + versionField);
      if ((version & 1) !== 0) continue;
      if (headers[header + stateField] !== ready || this.accounts[ring] !== account) return undefined;
      const start = headers[header + startField]!;
      const count = headers[header + countField]!;
      const whole = headers[header + wholeField] === 1;
      const copy = new BigUint64Array(count);
      const first = Math.min(count, entries - start);
      const base = ring * entries;
      copy.set(this.ids.subarray(base + start, base + start + first), 0);
      if (first < count) copy.set(this.ids.subarray(base, base + count - first), first);
      if (Atomics.load(headers, header + versionField) !== version || this.accounts[ring] !== account) continue;
      headers[header + usedField] = nowSeconds;
      return { ids: copy, whole };
    }
    return undefined;
  }
}

export class RingWriter extends RingViews {
  private deletedKeys = 0;

  accountOf(ring: number): Id {
    return this.accounts[ring]!;
  }

  /** When a reader last used the ring, in seconds. */
  usedAt(ring: number): number {
    return this.headers[ring * headerFields + usedField]!;
  }

  generationOf(ring: number): number {
    return this.headers[ring * headerFields + generationField]!;
  }

  /** Gives a free ring to an account; it is empty, and not ready until `markReady`. */
  assign(ring: number, account: Id, nowSeconds: number): void {
    const header = ring * headerFields;
    this.change(header, () => {
      this.accounts[ring] = account;
      this.clear(header);
      this.headers[header + usedField] = nowSeconds;
    });
    this.insertKey(account, ring);
  }

  release(ring: number): void {
    const header = ring * headerFields;
    const account = this.accounts[ring]!;
    this.removeKey(account);
    this.change(header, () => {
      this.accounts[ring] = emptyKey;
      this.clear(header);
    });
  }

  /** Forgets the content: it must be filled again. */
  empty(ring: number): void {
    const header = ring * headerFields;
    this.change(header, () => this.clear(header));
  }

  markReady(ring: number, whole: boolean): void {
    const header = ring * headerFields;
    const { headers } = this;
    this.change(header, () => {
      headers[header + stateField] = ready;
      if (!whole) headers[header + wholeField] = 0;
    });
  }

  /** Adds an id where it belongs. Ids older than the oldest of a full ring are dropped. */
  add(ring: number, id: Id): void {
    const header = ring * headerFields;
    const { headers, ids, entries } = this;
    const base = ring * entries;
    const start = headers[header + startField]!;
    const count = headers[header + countField]!;
    const last = count === 0 ? 0n : ids[base + ((start + count - 1) % entries)]!;
    if (id === last) return;
    const version = headers[header + versionField]!;
    Atomics.store(headers, header + versionField, version + 1);
    if (id > last) {
      ids[base + ((start + count) % entries)] = id;
      if (count < entries) headers[header + countField] = count + 1;
      else {
        headers[header + startField] = (start + 1) % entries;
        headers[header + wholeField] = 0;
      }
    } else this.insertLate(ring, id);
    Atomics.store(headers, header + versionField, version + 2);
  }

  remove(ring: number, id: Id): void {
    const header = ring * headerFields;
    const position = this.positionOf(ring, id);
    const count = this.headers[header + countField]!;
    if (position >= count || this.at(ring, position) !== id) return;
    this.change(header, () => {
      for (let index = position; index < count - 1; index += 1) this.set(ring, index, this.at(ring, index + 1));
      this.headers[header + countField] = count - 1;
    });
  }

  private insertLate(ring: number, id: Id): void {
    const header = ring * headerFields;
    const count = this.headers[header + countField]!;
    const position = this.positionOf(ring, id);
    if (position < count && this.at(ring, position) === id) return;
    if (count === this.entries) {
      this.headers[header + wholeField] = 0;
      if (position === 0) return;
      for (let index = 0; index < position - 1; index += 1) this.set(ring, index, this.at(ring, index + 1));
      this.set(ring, position - 1, id);
      return;
    }
    for (let index = count; index > position; index -= 1) this.set(ring, index, this.at(ring, index - 1));
    this.set(ring, position, id);
    this.headers[header + countField] = count + 1;
  }

  /** The position of the first id that is not below `id`. */
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

  private clear(header: number): void {
    this.headers[header + stateField] = filling;
    this.headers[header + startField] = 0;
    this.headers[header + countField] = 0;
    this.headers[header + wholeField] = 1;
    this.headers[header + generationField]! += 1;
  }

  private change(header: number, work: () => void): void {
    const version = this.headers[header + versionField]!;
    Atomics.store(this.headers, header + versionField, version + 1);
    work();
    Atomics.store(this.headers, header + versionField, version + 2);
  }

  private insertKey(account: Id, ring: number): void {
    let place = this.placeOf(account);
    while (this.table[place] !== emptyKey && this.table[place] !== deletedKey) place = this.next(place);
    if (this.table[place] === deletedKey) this.deletedKeys -= 1;
    this.tableRings[place] = ring;
    this.table[place] = account;
  }

  private removeKey(account: Id): void {
    let place = this.placeOf(account);
    while (this.table[place] !== account) {
      if (this.table[place] === emptyKey) return;
      place = this.next(place);
    }
    this.table[place] = deletedKey;
    this.deletedKeys += 1;
    if (this.deletedKeys > this.table.length / 4) this.rebuildTable();
  }

  /** A reader that looks during this finds nothing, and reads storage (invariant 3). */
  private rebuildTable(): void {
    this.table.fill(emptyKey);
    this.deletedKeys = 0;
    for (let ring = 0; ring < this.rings; ring += 1) {
      if (this.accounts[ring] !== emptyKey) this.insertKey(this.accounts[ring]!, ring);
    }
  }
}
