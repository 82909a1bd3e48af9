/**
 * A leaf that was overwritten deep in a file, where no start looks that follows a clean end: what LMDB makes of it, and
 * why a start after two ends that were no stop reads every page (docs/decisions/0040).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { damageOfLmdbFile } from '../../src/runtime/storage/lmdb-file.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import { type LogBatch, StorageFailure } from '../../src/runtime/storage/log.ts';
import { builtEntry } from '../support/built.ts';
import { zeroLeafOf } from '../support/damaged-leaf.ts';

const rangeProcess = builtEntry(new URL('fixtures/range-process.ts', import.meta.url));
const entries = 4_000;
const damagedEntry = entries - 100;

let folder: string;
let path: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-pages-'));
  path = join(folder, 'env');
  const log = new LmdbLog({ path, mapBytes: 1 << 26 });
  const keys = Array.from({ length: entries }, (_, number) => keyOf(number));
  await append(log, { keys, values: keys.map(() => Buffer.alloc(1_600, 7)) });
  await log.close();
  zeroLeafOf(join(path, 'data.mdb'), keyOf(damagedEntry));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyOf(number: number): Buffer {
  return Buffer.from(`key ${String(number).padStart(8, '0')}`);
}

async function append(log: LmdbLog, batch: LogBatch): Promise<void> {
  await new Promise<void>((done, fail) => log.append(batch, (error) => (error ? fail(error) : done())));
}

test('a reading of the upper pages does not find it, one of every page does', () => {
  expect(damageOfLmdbFile(join(path, 'data.mdb'), { pagesMax: 1_000 })).toBeUndefined();
  expect(damageOfLmdbFile(join(path, 'data.mdb'))).toMatch(/^is overwritten: its page \d+ is not what it was$/);
});

test('whoever needs it gets an error, and later reads and writes elsewhere succeed', async () => {
  const log = new LmdbLog({ path, mapBytes: 1 << 26 });
  const { reader } = log;
  const later = () => reader.refresh();
  expect(() => reader.get(keyOf(damagedEntry))).toThrow(StorageFailure);
  later();
  expect(() => [...reader.range({ start: keyOf(damagedEntry), end: keyOf(entries) })]).toThrow(StorageFailure);
  later();
  const backwards = { start: keyOf(0), end: keyOf(entries), reverse: true };
  expect(() => [...reader.range(backwards)]).toThrow(StorageFailure);
  later();
  await expect(append(log, { keys: [keyOf(damagedEntry)], values: [Buffer.of(1)] })).rejects.toThrow(
    'the commit failed',
  );
  await append(log, { keys: [keyOf(5)], values: [Buffer.of(1)] });
  later();
  expect(reader.get(keyOf(5))).toHaveLength(1);
  await log.close();
});

test('a range that comes to it from before ends its process: LMDB stops there', () => {
  const range = (from: number, to: number) =>
    spawnSync(process.execPath, [rangeProcess.pathname, path, ...[from, to].map((key) => keyOf(key).toString('hex'))]);
  expect(String(range(0, 100).stdout)).toBe('100\n');
  const ended = range(damagedEntry - 50, entries);
  expect(ended.signal).toBe('SIGABRT');
});
