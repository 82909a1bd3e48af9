/** Rings of ids against a sorted set, and the table of accounts against a map, under random changes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocateRings, RingReader, ringCache, ringsWithin } from '../../../src/actors/partition/feed-rings.queries.ts';
import { RingWriter } from '../../../src/actors/partition/feed-rings-writer.ts';

const alice = 1_000n;
const bob = 2_000n;
const noon = 43_200;
const runs = 500;

type Entry = { readonly kind: 'add' | 'remove'; readonly id: bigint };
type Change = Entry | { readonly kind: 'empty' } | { readonly kind: 'ready'; readonly whole: boolean };

/** Ids from a small range: duplicates, late ids and full rings are the rule. */
const smallId = fc.bigInt({ min: 1n, max: 40n });
const addOrRemove: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), id: smallId }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: smallId }) },
);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 16, arbitrary: addOrRemove },
  { weight: 1, arbitrary: fc.constant({ kind: 'empty' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ready' as const), whole: fc.boolean() }) },
);

/** What a ring shall be: the newest ids, as far as there is room. */
class Model {
  /** Everything that was added and not removed since the ring was emptied. */
  readonly all = new Set<bigint>();
  held: bigint[] = [];
  whole = true;
  ready = false;
  private readonly entries: number;
  private floor = 0n;

  constructor(entries: number) {
    this.entries = entries;
  }

  apply(done: Change): void {
    if (done.kind === 'empty') this.empty();
    else if (done.kind === 'ready') this.markReady(done.whole);
    else if (done.kind === 'add') this.add(done.id);
    else {
      this.all.delete(done.id);
      this.held = this.held.filter((id) => id !== done.id);
    }
  }

  private empty(): void {
    this.all.clear();
    this.held = [];
    this.whole = true;
    this.ready = false;
    this.floor = 0n;
  }

  private markReady(whole: boolean): void {
    this.ready = true;
    if (whole) return;
    this.whole = false;
    if (this.held.length > 0 && this.held[0]! - 1n > this.floor) this.floor = this.held[0]! - 1n;
  }

  private add(id: bigint): void {
    this.all.add(id);
    if (id <= this.floor || this.held.includes(id)) return;
    this.held = [...this.held, id].sort((one, other) => (one < other ? -1 : 1));
    if (this.held.length <= this.entries) return;
    this.floor = this.held.shift()!;
    this.whole = false;
  }
}

function applyTo(writer: RingWriter, ring: number, done: Change): void {
  if (done.kind === 'empty') writer.empty(ring);
  else if (done.kind === 'ready') writer.markReady(ring, done.whole);
  else if (done.kind === 'add') writer.add(ring, done.id);
  else writer.remove(ring, done.id);
}

describe('a ring', () => {
  test('holds what a sorted set would, the newest as far as there is room', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.array(change, { maxLength: 80 }), (entries, changes) => {
        const memory = allocateRings(2, entries);
        const writer = new RingWriter(memory);
        const reader = new RingReader(memory);
        const model = new Model(entries);
        writer.assign(1, alice, noon);
        for (const done of changes) {
          applyTo(writer, 1, done);
          model.apply(done);
          const copy = reader.read(alice, noon);
          expect(copy === undefined).toBe(!model.ready);
          if (copy === undefined) continue;
          expect([...copy.ids]).toEqual(model.held);
          expect(copy.whole).toBe(model.whole);
        }
      }),
      { numRuns: runs },
    );
  });

  test('lacks nothing newer than its oldest id, however often it was full', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.array(addOrRemove, { maxLength: 80 }), (entries, changes) => {
        const memory = allocateRings(1, entries);
        const writer = new RingWriter(memory);
        const reader = new RingReader(memory);
        const model = new Model(entries);
        writer.assign(0, alice, noon);
        writer.markReady(0, true);
        for (const done of changes) {
          applyTo(writer, 0, done);
          model.apply(done);
          const { ids, whole } = reader.read(alice, noon)!;
          const oldest = ids[0];
          const complete = [...model.all].filter((id) => whole || (oldest !== undefined && id >= oldest));
          expect(ids.length).toBe(complete.length);
        }
      }),
      { numRuns: runs },
    );
  });

  test('does not take back an id that it has dropped for want of room', () => {
    const memory = allocateRings(1, 3);
    const writer = new RingWriter(memory);
    const reader = new RingReader(memory);
    writer.assign(0, alice, noon);
    for (const id of [4n, 5n, 6n, 7n]) writer.add(0, id);
    writer.markReady(0, true);
    writer.remove(0, 6n);
    writer.add(0, 3n);
    expect(reader.read(alice, noon)).toEqual({ ids: BigUint64Array.of(5n, 7n), whole: false });
  });

  test('that is filled with the newest of more takes no older ids, even when all of those are removed', () => {
    const memory = allocateRings(1, 4);
    const writer = new RingWriter(memory);
    const reader = new RingReader(memory);
    writer.assign(0, alice, noon);
    for (const id of [8n, 9n]) writer.add(0, id);
    writer.markReady(0, false);
    for (const id of [8n, 9n]) writer.remove(0, id);
    writer.add(0, 7n);
    expect(reader.read(alice, noon)).toEqual({ ids: new BigUint64Array(0), whole: false });
    writer.add(0, 8n);
    expect(reader.read(alice, noon)?.ids).toEqual(BigUint64Array.of(8n));
  });

  test('takes ids of 64 bits as they are', () => {
    const memory = allocateRings(1, 4);
    const writer = new RingWriter(memory);
    const largest = (1n << 63n) - 1n;
    writer.assign(0, alice, noon);
    writer.markReady(0, true);
    for (const id of [largest, largest - 1n]) writer.add(0, id);
    expect(new RingReader(memory).read(alice, noon)?.ids).toEqual(BigUint64Array.of(largest - 1n, largest));
  });

  test('remembers when it was read', () => {
    const memory = allocateRings(1, 4);
    const writer = new RingWriter(memory);
    writer.assign(0, alice, noon);
    expect(writer.usedAt(0)).toBe(noon);
    writer.markReady(0, true);
    new RingReader(memory).read(alice, noon + 60);
    expect(writer.usedAt(0)).toBe(noon + 60);
  });

  test('also after January 2038', () => {
    const memory = allocateRings(1, 4);
    const writer = new RingWriter(memory);
    const later = Date.UTC(2040, 0, 1) / 1000;
    writer.assign(0, alice, later);
    expect(writer.usedAt(0)).toBe(later);
  });
});

describe('the table', () => {
  type Step =
    | { readonly kind: 'assign'; readonly account: bigint; readonly pick: number }
    | { readonly kind: 'release'; readonly pick: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      kind: fc.constant('assign' as const),
      account: fc.bigInt({ min: 2n, max: 60n }),
      pick: fc.nat({ max: 100 }),
    }),
    fc.record({ kind: fc.constant('release' as const), pick: fc.nat({ max: 100 }) }),
  );

  test('finds the ring of every account that has one, and of no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 120 }), (rings, steps) => {
        const memory = allocateRings(rings, 2);
        const writer = new RingWriter(memory);
        const reader = new RingReader(memory);
        const ringOf = new Map<bigint, number>();
        const free = Array.from({ length: rings }, (_, ring) => ring);
        for (const done of steps) {
          if (done.kind === 'release') {
            const [account, ring] = [...ringOf][done.pick % Math.max(1, ringOf.size)] ?? [];
            if (account === undefined) continue;
            writer.release(ring!);
            ringOf.delete(account);
            free.push(ring!);
          } else if (!ringOf.has(done.account) && free.length > 0) {
            const [ring] = free.splice(done.pick % free.length, 1);
            writer.assign(ring!, done.account, noon);
            writer.add(ring!, done.account * 100n);
            writer.markReady(ring!, true);
            ringOf.set(done.account, ring!);
          }
          for (let account = 2n; account <= 60n; account += 1n) {
            const ring = ringOf.get(account);
            expect(writer.find(account)).toBe(ring ?? -1);
            const ids = reader.read(account, noon)?.ids;
            expect(ids).toEqual(ring === undefined ? undefined : BigUint64Array.of(account * 100n));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('stays quick to search however many accounts have come and gone', () => {
    const memory = allocateRings(64, 1);
    const writer = new RingWriter(memory);
    for (let account = 2n; account < 20_002n; account += 1n) {
      writer.assign(Number(account % 64n), account, noon);
      expect(writer.find(account)).toBe(Number(account % 64n));
      if (account >= 34n) writer.release(Number((account - 32n) % 64n));
    }
    const keys = new BigUint64Array(memory.table);
    expect(keys.filter((key) => key === 0n).length).toBeGreaterThanOrEqual(keys.length / 4);
  });
});

describe('generations', () => {
  test('are given once, whichever ring, account or writer they are for', () => {
    const memory = allocateRings(3, 2);
    const seen = new Set<number>();
    const note = (generation: number) => {
      expect(seen.has(generation)).toBe(false);
      seen.add(generation);
    };
    for (let life = 0; life < 3; life += 1) {
      const writer = new RingWriter(memory);
      writer.reset();
      for (let round = 0; round < 5; round += 1) {
        for (let ring = 0; ring < 3; ring += 1) {
          writer.assign(ring, round % 2 === 0 ? alice + BigInt(ring) : bob + BigInt(ring), noon);
          note(writer.generationOf(ring));
          writer.empty(ring);
          note(writer.generationOf(ring));
          expect(writer.newestGeneration).toBe(writer.generationOf(ring));
          writer.release(ring);
        }
      }
    }
  });
});

describe('a writer that follows one that died', () => {
  test('in the middle of a change leaves readers nothing of it, and a ring that can be read again', () => {
    const memory = allocateRings(2, 4);
    const dead = new RingWriter(memory);
    const reader = new RingReader(memory);
    dead.assign(0, alice, noon);
    dead.add(0, 5n);
    dead.markReady(0, true);
    // The versions of both rings are odd, as in the middle of a change.
    const headers = new Int32Array(memory.headers);
    for (const ring of [0, 1]) headers[ring * (headers.length / 2)]! |= 1;
    expect(reader.read(alice, noon)).toBeUndefined();

    const writer = new RingWriter(memory);
    writer.reset();
    expect(writer.find(alice)).toBe(-1);
    expect(reader.read(alice, noon)).toBeUndefined();
    writer.assign(1, alice, noon);
    writer.add(1, 6n);
    writer.markReady(1, true);
    expect(reader.read(alice, noon)).toEqual({ ids: BigUint64Array.of(6n), whole: true });
  });
});

describe('as a cache, rings', () => {
  test('hold what a feed has ever used, of all there are', () => {
    const memory = allocateRings(3, 4);
    const { bytes, bytesMax } = ringCache(0, memory);
    const writer = new RingWriter(memory);
    writer.reset();
    expect([bytes(), bytesMax]).toEqual([0, 3 * 4 * 8]);
    writer.assign(1, alice, noon);
    expect(bytes()).toBe(4 * 8);
    writer.release(1);
    new RingWriter(memory).reset();
    expect(bytes()).toBe(4 * 8);
  });

  test.each([1_000_000, 10_000_000])('are so many as fit into %i bytes', (bytes) => {
    const { headers, feedIds, ids, table, tableRings } = allocateRings(ringsWithin(bytes, 400), 400);
    const taken = [headers, feedIds, ids, table, tableRings].reduce((sum, memory) => sum + memory.byteLength, 0);
    expect(taken).toBeLessThanOrEqual(bytes);
    expect(taken).toBeGreaterThan(bytes * 0.97);
  });

  test('are one at least', () => {
    expect(ringsWithin(0, 400)).toBe(1);
  });
});
