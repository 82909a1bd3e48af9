/** The byte-bounded cache: used entries stay, and the callback of each dropped entry is called. */
import { beforeEach, expect, test } from 'vitest';
import { ByteCache } from '../../../src/operations/presentation/byte-cache.ts';
import { highHalf, lowHalf } from '../../../src/operations/presentation/id-map.ts';

const entriesPerGeneration = 4;
const bytes = 100;

class Entry {
  readonly bytes = bytes;
  isCurrent = true;

  dropped(): void {
    this.isCurrent = false;
  }
}

let cache: ByteCache<Entry>;
let entries: Entry[];

beforeEach(() => {
  cache = new ByteCache(2 * entriesPerGeneration * bytes);
  entries = [];
});

function fill(count: number): void {
  for (let number = 0; number < count; number += 1) {
    const entry = new Entry();
    cache.set(BigInt(entries.length), entry);
    entries.push(entry);
  }
}

const isFound = (id: bigint) => cache.find(lowHalf(id), highHalf(id)) !== undefined;

test('an unused entry is dropped with its generation, and its callback is called', () => {
  fill(2 * entriesPerGeneration);
  expect(entries.every(({ isCurrent }) => isCurrent)).toBe(true);
  fill(1);
  expect(entries.map(({ isCurrent }) => isCurrent)).toEqual([...Array(4).fill(false), ...Array(5).fill(true)]);
  expect(cache.get(0n)).toBeUndefined();
  expect(cache.get(8n)).toBe(entries[8]);
});

test('an entry that is used stays', () => {
  fill(1);
  for (let number = 0; number < 5 * entriesPerGeneration; number += 1) {
    fill(1);
    expect(cache.get(0n)).toBe(entries[0]);
  }
  expect(entries[0]?.isCurrent).toBe(true);
});

test('a lookup by the halves of an id finds entries of the young generation only', () => {
  fill(entriesPerGeneration + 1);
  expect([isFound(0n), isFound(4n)]).toEqual([false, true]);
  cache.get(0n);
  expect(isFound(0n)).toBe(true);
});

test('the callback of a deleted entry is called, in either generation', () => {
  fill(entriesPerGeneration + 1);
  cache.delete(0n);
  cache.delete(4n);
  cache.delete(99n);
  expect(entries.map(({ isCurrent }) => isCurrent)).toEqual([false, true, true, true, false]);
  expect([cache.get(0n), cache.get(4n)]).toEqual([undefined, undefined]);
});

test('clearing calls the callback of every entry', () => {
  fill(entriesPerGeneration + 1);
  cache.clear();
  expect(entries.some(({ isCurrent }) => isCurrent)).toBe(false);
  expect(cache.get(4n)).toBeUndefined();
});

test('an entry that grows displaces others', () => {
  fill(2);
  cache.grew(0n, 2 * bytes);
  expect(cache.bytes).toBe(4 * bytes);
  fill(1);
  cache.grew(1n, 0);
  expect(cache.bytes).toBe(5 * bytes);
  cache.grew(99n, bytes);
  expect(cache.bytes).toBe(5 * bytes);
  // Alone it is as large as a generation.
  cache.grew(2n, entriesPerGeneration * bytes);
  expect(cache.bytes).toBeLessThanOrEqual(9 * bytes);
  fill(entriesPerGeneration + 1);
  expect(cache.bytes).toBeLessThanOrEqual(2 * entriesPerGeneration * bytes);
});
