/** Damage of a database file, found without mapping it. The files are written by the library itself. */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
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

test('every page that is zeroed is found, or is one that nothing refers to', async () => {
  const bytes = readFileSync(whole);
  const pages = bytes.length / pageBytes;
  const unnoticed: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    const damaged = Buffer.from(bytes);
    damaged.fill(0, page * pageBytes, (page + 1) * pageBytes);
    writeFileSync(copy, damaged);
    const damage = damageOfLmdbFile(copy);
    if (damage === undefined) unnoticed.push(page);
    else
      expect(damage).toMatch(
        /^is overwritten: its (first page is empty|second page is empty|page \d+ is not what it was)$/,
      );
  }
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
