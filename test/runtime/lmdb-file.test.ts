/** Finding damage in a database file without mapping it. The library itself writes the files. */
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damageOfLmdbFile } from '../../src/runtime/storage/lmdb-file.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';

const pageBytes = 4_096;
let folder: string;
let whole: string;
let copy: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-lmdb-'));
  whole = join(folder, 'env', 'data.mdb');
  copy = join(folder, 'copy.mdb');
  const log = new LmdbLog({ path: join(folder, 'env'), mapBytes: 1 << 26 });
  for (let round = 0; round < 20; round += 1) {
    const numbers = Array.from({ length: 300 }, (_, index) => round * 300 + index);
    await append(log, numbers, (number) => (number % 97 === 0 ? 20_000 : 400));
    await append(log, numbers.slice(0, 40), () => undefined);
  }
  await log.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function append(log: LmdbLog, numbers: readonly number[], bytes: (number: number) => number | undefined) {
  const keys = numbers.map((number) => Buffer.from([number >> 8, number & 0xff]));
  const values = numbers.map((number) => {
    const length = bytes(number);
    return length === undefined ? undefined : Buffer.alloc(length, number);
  });
  return new Promise<void>((done, fail) => log.append({ keys, values }, (error) => (error ? fail(error) : done())));
}

test('a whole file has none, whether some pages are read or all', () => {
  expect(statSync(whole).size).toBeGreaterThan(400 * pageBytes);
  expect(damageOfLmdbFile(whole)).toBeUndefined();
  expect(damageOfLmdbFile(whole, { pagesMax: 10 })).toBeUndefined();
});

test('an empty database has none', async () => {
  const log = new LmdbLog({ path: join(folder, 'empty'), mapBytes: 1 << 20 });
  await log.close();
  expect(damageOfLmdbFile(join(folder, 'empty', 'data.mdb'))).toBeUndefined();
});

describe('where the file ends too early', () => {
  test.each([0, 100, pageBytes, pageBytes * 2, pageBytes * 3, 0.1, 0.5, 0.9])('at %d', (end) => {
    cpSync(whole, copy);
    truncateSync(copy, end > 0 && end < 1 ? Math.floor(statSync(whole).size * end) : end);
    expect(damageOfLmdbFile(copy, { pagesMax: 10 })).toMatch(/^is (cut off|overwritten)/);
  });
});

test('every page that is zeroed is found, or is one that nothing refers to', () => {
  cpSync(whole, copy);
  const file = openSync(copy, 'r+');
  const pages = statSync(whole).size / pageBytes;
  const [kept, zeros] = [Buffer.alloc(pageBytes), Buffer.alloc(pageBytes)];
  const unnoticed: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    readSync(file, kept, 0, pageBytes, page * pageBytes);
    writeSync(file, zeros, 0, pageBytes, page * pageBytes);
    const damage = damageOfLmdbFile(copy);
    writeSync(file, kept, 0, pageBytes, page * pageBytes);
    if (damage === undefined) unnoticed.push(page);
    else
      expect(damage).toMatch(
        /^is overwritten: its (first page is empty|second page is empty|page \d+ is not what it was)$/,
      );
  }
  closeSync(file);
  // Free pages, and those that continue a value of several pages.
  expect(unnoticed.length).toBeLessThan(pages * 0.7);
  expect(unnoticed).not.toContain(0);
  expect(unnoticed).not.toContain(1);
});

test.each<[string, (bytes: Buffer) => void, string]>([
  ['of another kind', (bytes) => bytes.fill('text'), 'is overwritten: its first page is not one of a database'],
  [
    'of another version of LMDB',
    (bytes) => bytes.writeUInt32LE(1, 28),
    'was written by a version of LMDB that this server does not read',
  ],
  [
    'with pages of no size',
    (bytes) => bytes.writeUInt32LE(77, 48),
    'is overwritten: its first page says that pages have 77 bytes',
  ],
])('a file %s', (_name, damage, sentence) => {
  const bytes = readFileSync(whole);
  damage(bytes);
  writeFileSync(copy, bytes);
  expect(damageOfLmdbFile(copy)).toBe(sentence);
});

describe('a file that contradicts itself', () => {
  const rootOf = { freePages: 88, entries: 136 } as const;

  /** The newer meta page, and the first list of free pages that lies within the root of their tree. */
  function placesIn(bytes: Buffer): { meta: number; list: number } {
    const meta = bytes.readBigUInt64LE(152) > bytes.readBigUInt64LE(pageBytes + 152) ? 0 : pageBytes;
    const root = Number(bytes.readBigUInt64LE(meta + rootOf.freePages)) * pageBytes;
    const nodes = Array.from({ length: bytes.readUInt16LE(root + 20) >> 1 }, (_, index) => {
      const node = root + 24 + bytes.readUInt16LE(root + 24 + index * 2);
      return { value: node + 8 + bytes.readUInt16LE(node + 6), isBig: (bytes.readUInt16LE(node + 4) & 1) !== 0 };
    });
    return { meta, list: nodes.find(({ isBig }) => !isBig)!.value };
  }

  test.each<[string, (bytes: Buffer, meta: number, list: number) => void, RegExp]>([
    [
      'its list of free pages has one that is used',
      (bytes, meta, list) => {
        bytes.writeBigInt64LE(1n, list);
        bytes.writeBigUInt64LE(bytes.readBigUInt64LE(meta + rootOf.entries), list + 8);
      },
      /^contradicts itself: it uses page \d+, and lists it as free$/,
    ],
    [
      'its list of free pages has one that it cannot use',
      (bytes, _meta, list) => {
        bytes.writeBigInt64LE(2n, list);
        bytes.writeBigInt64LE(-3n, list + 8);
        bytes.writeBigInt64LE(1n, list + 16);
      },
      /^contradicts itself: it lists page 1 as free, which it cannot use$/,
    ],
    [
      'its list of free pages has one twice',
      (bytes, _meta, list) => {
        bytes.writeBigInt64LE(3n, list);
        bytes.writeBigInt64LE(-2n, list + 8);
        bytes.writeBigInt64LE(9n, list + 16);
        bytes.writeBigInt64LE(10n, list + 24);
      },
      /^contradicts itself: it lists page 10 as free twice$/,
    ],
    [
      'two trees have the same pages',
      (bytes, meta) => bytes.writeBigUInt64LE(bytes.readBigUInt64LE(meta + rootOf.entries), meta + rootOf.freePages),
      /^contradicts itself: it (uses page \d+ twice|lists page \d+ as free)/,
    ],
  ])('%s: found where all of it is read', (_name, damage, sentence) => {
    const bytes = readFileSync(whole);
    const { meta, list } = placesIn(bytes);
    damage(bytes, meta, list);
    writeFileSync(copy, bytes);
    expect(damageOfLmdbFile(copy)).toMatch(sentence);
    expect(damageOfLmdbFile(copy, { pagesMax: 10 })).toBeUndefined();
  });
});
