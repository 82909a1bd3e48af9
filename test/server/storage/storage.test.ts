/** The report about disk space, and compacting: what is counted, what is given back, and what is refused. */

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { loadOptions } from '../../../src/options/load.ts';
import { afterLastKey } from '../../../src/runtime/storage/keyspace.ts';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { compactFolder } from '../../../src/server/folder/compact.ts';
import { type DataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { type FolderManifest, partitionsOf, readManifest } from '../../../src/server/folder/manifest.ts';
import { append, openLog, openPartition } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { runStorage } from '../../../src/server/storage/commands.ts';
import { keepTotals, keptTotals, totalsBefore } from '../../../src/server/storage/kept-report.ts';
import { kindOf, kinds } from '../../../src/server/storage/kinds.ts';
import { StorageMeasuring } from '../../../src/server/storage/measuring.ts';
import { amountOf, type Growth, type StorageReport } from '../../../src/server/storage/report.ts';
import type { StorageState } from '../../../src/services/storage.ts';
import { until } from '../../support/until.ts';

const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2/folder.tar.gz');
const hour = 3_600_000;
const plenty = { freeBytes: () => Number.MAX_SAFE_INTEGER, show: () => undefined };
let parent: string;
let path: string;
let folder: DataFolder;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-storage-'));
  await promisify(execFile)('tar', ['-xzf', fixture, '-C', parent]);
  await prepareFolder(openDataFolder(join(parent, 'data')), { partitions: 3, origin: undefined });
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

beforeEach(() => {
  path = mkdtempSync(join(parent, 'copy-'));
  cpSync(join(parent, 'data'), path, { recursive: true });
  folder = openDataFolder(path);
});

const manifest = () => readManifest(folder) as FolderManifest;
const partitionFolders = () => readdirSync(path).filter((name) => name.startsWith('partition-'));

async function storage(json: boolean): Promise<string[]> {
  const options = loadOptions({ environment: { MURMURATION_DATA_DIR: path }, configurationFolder: parent });
  const told = { show: () => undefined, complain: () => undefined, signal: new AbortController().signal };
  return await runStorage({ json }, { options, ...told });
}

async function report(): Promise<StorageReport & { growth?: Growth }> {
  return JSON.parse((await storage(true))[0]!);
}

/** All that the partitions contain, as text. */
async function contents(): Promise<string[]> {
  const { partitions } = manifest();
  const place = partitionsOf(folder, manifest());
  const found: string[] = [];
  for (let number = 0; number < partitions; number += 1) {
    const log = openPartition(place, number);
    for (const { key, value } of log.reader.range({ start: Buffer.alloc(1), end: afterLastKey }))
      found.push(`${number} ${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`);
    await log.close();
  }
  return found;
}

/** Writes and deletes some MB, as a busy year does. */
async function wearOut(): Promise<void> {
  const log = openPartition(partitionsOf(folder, manifest()), 0);
  await openLog(log, manifest().epoch);
  const keys = Array.from({ length: 5_000 }, (_, index) =>
    Buffer.from(`\u00fe\u00fe\u00fe${String(index).padStart(8, '0')}`),
  );
  await append(log, { keys, values: keys.map(() => Buffer.alloc(1_000, 1)) });
  await append(log, { keys, values: keys.map(() => undefined) });
  await log.close();
}

test('every entry is counted once, under a kind that people know', async () => {
  const [found, all] = [await report(), await contents()];
  const amounts = (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => amountOf(found, kind));
  expect(amounts.reduce((sum, { entries }) => sum + entries, 0)).toBe(all.length);
  expect(amounts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(
    all.reduce((sum, line) => sum + line.replace(/^\d+ | /g, '').length / 2, 0),
  );
  for (const kind of ['ownPosts', 'ownAccounts', 'follows', 'postLists'] as const)
    expect([kind, amountOf(found, kind).entries > 0]).toEqual([kind, true]);
  expect(found.partitions.map(({ fileBytes }) => fileBytes)).toEqual(
    partitionFolders().map((name) => statSync(join(path, name, 'data.mdb')).size),
  );
});

test('the files beside the database', async () => {
  mkdirSync(join(path, 'media', 'ab'), { recursive: true });
  writeFileSync(join(path, 'media', 'ab', 'one.png'), Buffer.alloc(70_000));
  mkdirSync(join(path, 'search'));
  writeFileSync(join(path, 'search', 'index.sqlite'), Buffer.alloc(5_000));
  const { files } = await report();
  expect(files.ownMedia).toEqual({ files: 1, bytes: 70_000 });
  expect(files.search).toEqual({ files: 1, bytes: 5_000 });
  const lines = (await storage(false)).join('\n');
  expect(lines).toContain('Media of people here: 1 files');
  expect(lines).toContain('Growth is known from the next report on');
  expect(lines).toContain('All are kept. MURMURATION_REMOTE_STATUS_DAYS says how old they become.');
});

test('a thread of the server takes the figures beside it, and once an hour', async () => {
  const clock = { now: 1_000 };
  const problems: unknown[] = [];
  const measuring = new StorageMeasuring({
    dataDirectory: path,
    now: () => clock.now,
    report: (problem) => void problems.push(problem),
  });
  const ask = async () => (await measuring.answer({})) as StorageState;
  expect(await ask()).toEqual({ figures: undefined, isMeasuring: true });
  const { figures } = await until(async () => {
    const state = await ask();
    return state.figures && !state.isMeasuring ? state : undefined;
  });
  const { partitions, unused, ...found } = await report();
  expect(figures?.database.bytes).toBe(partitions.reduce((sum, { fileBytes }) => sum + fileBytes, 0));
  for (const { kind, entries, bytes } of figures!.database.kinds)
    expect([kind, { entries, bytes }]).toEqual([kind, amountOf({ partitions }, kind)]);
  expect(figures?.files.find(({ place }) => place === 'ownMedia')).toMatchObject(found.files.ownMedia);
  expect(figures?.unused.map(({ days }) => days)).toEqual(unused.olderThan.map(({ days }) => days));
  clock.now += hour - 1;
  expect((await ask()).isMeasuring).toBe(false);
  clock.now += 1;
  expect((await ask()).isMeasuring).toBe(true);
  await measuring.stop();
  expect((await ask()).isMeasuring).toBe(false);
  expect(problems).toEqual([]);
});

test('growth is what has changed since a report that is an hour old', async () => {
  const now = Date.now();
  keepTotals(path, { at: now - 48 * hour, bytes: { database: 1_000 } });
  const { growth, partitions } = await report();
  const bytes = partitions.reduce((sum, { fileBytes }) => sum + fileBytes, 0) - 1_000;
  expect(growth?.bytes).toBe(bytes);
  expect(growth?.bytesPerDay).toBeGreaterThan(bytes / 2 - 1_000);
  expect(growth?.bytesPerDay).toBeLessThanOrEqual(bytes / 2);
  expect(keptTotals(path)).toHaveLength(2);
  // A second one within the hour replaces nothing.
  await report();
  expect(keptTotals(path)).toHaveLength(2);
  expect(totalsBefore(keptTotals(path), Date.now())?.bytes).toEqual({ database: 1_000 });
  writeFileSync(join(path, 'storage-reports.json'), '{ damaged');
  expect((await report()).growth).toBeUndefined();
});

test('compacting gives back what is free inside, and changes nothing else', async () => {
  const before = await contents();
  await wearOut();
  const free = (await report()).partitions.map(({ freeBytes }) => freeBytes);
  expect(free[0]).toBeGreaterThan(4_000_000);
  expect(await contents()).toEqual(before);
  const { bytesBefore, bytesAfter } = await compactFolder(folder, plenty);
  expect(bytesBefore - bytesAfter).toBeGreaterThan(4_000_000);
  expect(await contents()).toEqual(before);
  expect((await report()).partitions[0]!.freeBytes).toBeLessThan(100_000);
  expect(partitionFolders()).toEqual([0, 1, 2].map((number) => `partition-${number}-generation-1`));
  expect((await checkFolder(folder)).sound).toBe(true);
  await prepareFolder(folder, { partitions: 3, origin: undefined });
  await compactFolder(folder, plenty);
  expect(manifest().generation).toBe(2);
});

test('without room it is refused, and what an earlier one has left is removed', async () => {
  const before = await contents();
  mkdirSync(join(path, 'partition-0-generation-1'));
  writeFileSync(join(path, 'partition-0-generation-1', 'data.mdb'), 'half');
  await expect(compactFolder(folder, { ...plenty, freeBytes: () => 1_000 })).rejects.toThrow(
    /^The partitions stay as they were: there is not enough room for the new files/,
  );
  expect([partitionFolders().length, manifest().generation]).toEqual([3, undefined]);
  expect(await contents()).toEqual(before);
  mkdirSync(join(path, 'partition-0-generation-1'));
  await compactFolder(folder, plenty);
  expect(existsSync(join(path, 'partition-0'))).toBe(false);
});

test('a damaged folder is not compacted', async () => {
  const log = openPartition(partitionsOf(folder, manifest()), 1);
  await openLog(log, manifest().epoch);
  await append(log, { keys: [Buffer.from('00001aff', 'hex')], values: [Buffer.from('nothing that anybody wrote')] });
  await log.close();
  await expect(compactFolder(folder, plenty)).rejects.toThrow('is damaged. Run murmuration check');
  expect(partitionFolders()).toHaveLength(3);
});

test('every keyspace belongs to a kind, and every kind to a keyspace or to a part of one', () => {
  const found = new Set(keyspaces.map(kindOf));
  for (const space of keyspaces) {
    const isOfMachine = space.owner === 'machine';
    if (!isOfMachine) expect([space.name, kindOf(space)]).not.toEqual([space.name, 'machinery']);
  }
  const parts = new Set(['ownPosts', 'ownAccounts', 'machinery', 'events']);
  for (const kind of Object.keys(kinds))
    expect([kind, parts.has(kind) || found.has(kind as never)]).toEqual([kind, true]);
});
