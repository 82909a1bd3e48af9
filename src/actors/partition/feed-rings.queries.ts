/**
 * The feeds of homes and lists in shared memory: a ring of sorted status ids for each. One writer (the partition's
 * owner), readers in all other threads, no locks. A ring belongs to one feed at a time and is found through an
 * open-addressed table. This file has the memory layout and the reader, feed-rings-writer.ts the writer.
 *
 * INVARIANTS
 * 1. A ring's version is odd during a change and grows with every change: a reader copies, then compares, and uses a
 *    copy only when version and feed are unchanged.
 * 2. Ids in a ring ascend, each once. A full ring drops its oldest id and is no longer whole.
 * 3. A ring that is not whole lacks nothing newer than its oldest id: ids older than anything it has dropped are never
 *    added, even when removals have made room.
 * 4. A generation is used once in the life of the memory: it identifies one filling of one ring for one feed.
 * 5. A reader that finds nothing, or nothing stable, reads storage instead: rings are a cache.
 */
import type { Id } from '../../runtime/ids.ts';
import type { MeasuredCache } from '../../runtime/metrics/caches.ts';

export interface RingMemory {
  readonly rings: number;
  readonly entries: number;
  readonly headers: SharedArrayBuffer;
  readonly feedIds: SharedArrayBuffer;
  readonly ids: SharedArrayBuffer;
  readonly table: SharedArrayBuffer;
  readonly tableRings: SharedArrayBuffer;
  /** The last generation given, so that a new writer continues after an earlier one. */
  readonly lastGeneration: SharedArrayBuffer;
}

export const headerFields = 8;
export const versionField = 0;
export const stateField = 1;
export const startField = 2;
export const countField = 3;
export const wholeField = 4;
/** Seconds since 1970 as an unsigned number: valid until 2106. */
export const usedField = 5;

export const filling = 0;
export const ready = 1;

/** No feed has this id. */
export const emptyKey = 0n;
export const deletedKey = 1n;
const readAttempts = 8;

export function allocateRings(rings: number, entries: number): RingMemory {
  const tableSize = tableSizeFor(rings);
  return {
    rings,
    entries,
    headers: new SharedArrayBuffer(rings * headerFields * 4),
    feedIds: new SharedArrayBuffer(rings * 8),
    ids: new SharedArrayBuffer(rings * entries * 8),
    table: new SharedArrayBuffer(tableSize * 8),
    tableRings: new SharedArrayBuffer(tableSize * 4),
    lastGeneration: new SharedArrayBuffer(8),
  };
}

/** How many rings, with their overhead, fit into so many bytes. */
export function ringsWithin(bytes: number, entries: number): number {
  const tableBytes = 4 * (8 + 4);
  return Math.max(1, Math.floor(bytes / ((entries + headerFields) * 8 + tableBytes)));
}

/** The rings used so far, as a cache whose bound is all rings: memory of unused rings was never touched. */
export function ringCache(partition: number, memory: RingMemory): MeasuredCache {
  const ringBytes = memory.entries * 8;
  const headers = new Int32Array(memory.headers);
  return {
    name: `feed rings of partition ${partition}`,
    bytesMax: memory.rings * ringBytes,
    bytes() {
      let used = 0;
      for (let ring = 0; ring < memory.rings; ring += 1) if (headers[ring * headerFields + usedField]! !== 0) used += 1;
      return used * ringBytes;
    },
  };
}

/** A power of two that leaves the table at most half full. */
function tableSizeFor(rings: number): number {
  let size = 16;
  while (size < rings * 2) size *= 2;
  return size;
}

export interface RingCopy {
  /** Ascending; valid until the reader's next read. */
  readonly ids: BigUint64Array;
  /** True while nothing older than the first id was dropped: the ring is the complete feed. */
  readonly whole: boolean;
}

/** The memory layout, for both sides. */
export class RingViews {
  readonly rings: number;
  readonly entries: number;
  protected readonly headers: Int32Array;
  protected readonly feedIds: BigUint64Array;
  protected readonly ids: BigUint64Array;
  protected readonly table: BigUint64Array;
  protected readonly tableRings: Int32Array;
  private readonly mask: number;

  constructor(memory: RingMemory) {
    this.rings = memory.rings;
    this.entries = memory.entries;
    this.headers = new Int32Array(memory.headers);
    this.feedIds = new BigUint64Array(memory.feedIds);
    this.ids = new BigUint64Array(memory.ids);
    this.table = new BigUint64Array(memory.table);
    this.tableRings = new Int32Array(memory.tableRings);
    this.mask = this.table.length - 1;
  }

  /** The ring of a feed, or -1. */
  find(feedId: Id): number {
    for (
      let bucket = this.bucketOf(feedId), steps = 0;
      steps <= this.mask;
      bucket = (bucket + 1) & this.mask, steps += 1
    ) {
      const key = this.table[bucket]!;
      if (key === feedId) return this.tableRings[bucket]!;
      if (key === emptyKey) return -1;
    }
    return -1;
  }

  protected bucketOf(feedId: Id): number {
    // Ids differ in their time and slot bits: multiplying spreads both over the table.
    const low = Number(feedId & 0xffff_ffffn);
    const high = Number(feedId >> 32n);
    return ((Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca6b)) >>> 7) & this.mask;
  }

  protected next(bucket: number): number {
    return (bucket + 1) & this.mask;
  }
}

export class RingReader extends RingViews {
  /** Reused: a new array for each read costs more than the read (measured). */
  private readonly copy = new BigUint64Array(this.entries);

  /** The ids in the ring of a feed; undefined when it has no ready ring. `nowSeconds` is stored as its last use. */
  read(feedId: Id, nowSeconds: number): RingCopy | undefined {
    const ring = this.find(feedId);
    if (ring < 0) return undefined;
    const header = ring * headerFields;
    const { headers, entries } = this;
    const copy = this.copy;
    for (let attempt = 0; attempt < readAttempts; attempt += 1) {
      const version = Atomics.load(headers, header + versionField);
      if ((version & 1) !== 0) continue;
      if (headers[header + stateField] !== ready || this.feedIds[ring] !== feedId) return undefined;
      const start = headers[header + startField]!;
      const count = headers[header + countField]!;
      const whole = headers[header + wholeField] === 1;
      const first = Math.min(count, entries - start);
      const base = ring * entries;
      copy.set(this.ids.subarray(base + start, base + start + first), 0);
      if (first < count) copy.set(this.ids.subarray(base, base + count - first), first);
      // Changes nothing, but unlike a load it keeps earlier reads from moving below it.
      if (Atomics.or(headers, header + versionField, 0) !== version || this.feedIds[ring] !== feedId) continue;
      headers[header + usedField] = nowSeconds;
      return { ids: copy.subarray(0, count), whole };
    }
    return undefined;
  }
}
