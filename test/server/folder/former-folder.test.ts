/** A start migrates the folder of an earlier version and keeps its content. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pack, unpack } from '../../../src/runtime/codec.ts';
import type { PartitionLog } from '../../../src/runtime/storage/log.ts';
import { cursors, identity } from '../../../src/runtime/storage/machine.ts';
import { type DataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { type FolderManifest, folderFormat, readManifest, writeManifest } from '../../../src/server/folder/manifest.ts';
import { append, openPartition } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { readerOf } from '../../../src/server/folder/verify.ts';
import { startTestServer } from '../../support/server.ts';
import { assertSoundFolder } from '../../support/sound.ts';

const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2');
const tokens = JSON.parse(readFileSync(join(fixture, 'tokens.json'), 'utf8')) as Record<string, string>;
const environment = { MURMURATION_ORIGIN: 'https://social.example' };
let parent: string;
let dataDirectory: string;

beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-former-'));
  dataDirectory = join(parent, 'data');
  await promisify(execFile)('tar', ['-xzf', join(fixture, 'folder.tar.gz'), '-C', parent]);
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

async function stored<Value>(folder: DataFolder, read: (log: PartitionLog) => Value): Promise<Value[]> {
  const logs = [0, 1, 2].map((number) => openPartition(folder, number));
  const values = logs.map(read);
  await Promise.all(logs.map((log) => log.close()));
  return values;
}

interface Shown {
  readonly type?: string;
  readonly content?: string;
  readonly mentions?: { url: string }[];
}

test('a folder of format 2', async () => {
  const server = await startTestServer({ dataDirectory, environment });
  const read = async (path: string) => (await (await server.fetch(path, { token: tokens.alice! })).json()) as Shown[];
  expect(await read('/api/v1/timelines/home?limit=40')).toHaveLength(33);
  const [first] = await read('/api/v1/timelines/tag/fediverse');
  expect(first).toMatchObject({ favourites_count: 2, reblogs_count: 1, replies_count: 1 });
  expect((await read('/api/v1/notifications')).map(({ type }) => type).sort()).toEqual(
    ['favourite', 'favourite', 'follow', 'follow', 'mention', 'reblog'].sort(),
  );
  const found = await server.fetch('/api/v2/search?q=ali&type=accounts', { token: tokens.alice! });
  expect(await found.json()).toMatchObject({ accounts: [{ username: 'alice' }] });
  const tags = await server.fetch('/api/v2/search?q=fedi&type=hashtags', { token: tokens.alice! });
  expect(await tags.json()).toMatchObject({ hashtags: [{ name: 'fediverse' }] });
  expectWholeAddresses(await read('/api/v1/timelines/home?limit=40'));
  expect(await server.stop()).toBe(0);
  await assertSoundFolder(dataDirectory);
  const manifest = JSON.parse(readFileSync(join(dataDirectory, 'manifest.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ format: folderFormat, epoch: 2, partitions: 3, origin: 'https://social.example' });
});

/** Own addresses were stored whole then, and are shown as they are. */
function expectWholeAddresses(statuses: readonly Shown[]) {
  const links = statuses.flatMap(({ content = '' }) => content.match(/(?<=href=")[^"]*/g) ?? []);
  const own = ['@alice', '@bob', '@carol', 'tags/counting', 'tags/fediverse'];
  expect([...new Set(links)].sort()).toEqual(own.map((path) => `https://social.example/${path}`));
  const mentions = statuses.flatMap(({ mentions = [] }) => mentions.map(({ url }) => url));
  expect(links).toEqual(expect.arrayContaining(mentions));
  expect(mentions).not.toEqual([]);
}

test('cursors of channels get the form of format 3, and an interrupted start is taken up', async () => {
  const folder = openDataFolder(dataDirectory);
  const wish = { partitions: 3, origin: undefined };
  const cursorsOfFirst = (log: PartitionLog) => {
    const bytes = log.reader.get(cursors.encode([0]));
    return bytes === undefined ? undefined : unpack(bytes);
  };
  const before = await stored(folder, cursorsOfFirst);
  expect(before).toEqual([undefined, expect.any(Number), expect.any(Number)]);
  await prepareFolder(folder, wish);
  const after = await stored(folder, cursorsOfFirst);
  expect(after.slice(1)).toEqual(before.slice(1).map((sequence) => [sequence, 0, undefined]));
  expect(await stored(folder, (log) => readerOf(log).get(identity, [0])?.format)).toEqual([
    folderFormat,
    folderFormat,
    folderFormat,
  ]);

  // Partition 2 has not been reached, and the manifest says that it goes on.
  const { id } = readManifest(folder) as FolderManifest;
  writeManifest(folder, { id, epoch: 1, commits: [], adopting: true, partitions: 3 });
  const log = openPartition(folder, 2);
  await append(log, { keys: [identity.encode([0]), cursors.encode([0])], values: [undefined, pack(before[2])] });
  await log.close();
  expect(await prepareFolder(folder, wish)).toMatchObject({ id, epoch: 2 });
  expect(await stored(folder, cursorsOfFirst)).toEqual(after);
  expect(readManifest(folder)).not.toHaveProperty('adopting');
});

test('the operator is told what a migration ends, and nothing where there is none', async () => {
  const folder = openDataFolder(dataDirectory);
  const wish = { partitions: 3, origin: undefined };
  const told: string[] = [];
  await prepareFolder(folder, wish, (sentence) => void told.push(sentence));
  await prepareFolder(folder, wish, (sentence) => void told.push(sentence));
  expect(told).toEqual([
    `The data folder ${folder.path} is migrated from format 2 to ${folderFormat}: earlier versions cannot open it any more.`,
  ]);
});

test('a request to stop ends a migration, which the next start takes up', async () => {
  const folder = openDataFolder(dataDirectory);
  const wish = { partitions: 3, origin: undefined };
  const formats = () => stored(folder, (log) => readerOf(log).get(identity, [0])?.format);
  const stop = new AbortController();
  const prepared = prepareFolder(folder, wish, () => stop.abort(), stop.signal);
  const reason = await prepared.catch((error: unknown) => error);
  expect(stop.signal.aborted).toBe(true);
  expect(reason).toBe(stop.signal.reason);
  expect(await formats()).toEqual([2, undefined, undefined]);
  // It was no end that could be due to damage.
  expect(readManifest(folder)).not.toHaveProperty('unclosedStarts');
  expect(await prepareFolder(folder, wish)).toMatchObject({ epoch: 2 });
  expect(await formats()).toEqual([folderFormat, folderFormat, folderFormat]);
});

test('one of format 2 without one of its partitions is refused', async () => {
  rmSync(join(dataDirectory, 'partition-1'), { recursive: true });
  await expect(startTestServer({ dataDirectory, environment })).rejects.toThrow('partition-1/data.mdb is missing');
  expect(JSON.parse(readFileSync(join(dataDirectory, 'manifest.json'), 'utf8'))).toMatchObject({ format: 2 });
});
