/** Preparing a data folder: created completely or not at all, and refused with an explanation when it has changed. */
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pack, raw } from '../../../src/runtime/codec.ts';
import { digestOfFrame, frameRecord } from '../../../src/runtime/partition/frame-record.ts';
import type { Keyspace } from '../../../src/runtime/storage/keyspace.ts';
import { cursorRecords, cursors, identity, meta, metaRecords, outbox } from '../../../src/runtime/storage/machine.ts';
import { type DataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { folderFormat, readManifest } from '../../../src/server/folder/manifest.ts';
import { append, openPartition } from '../../../src/server/folder/partition-files.ts';
import { noteBlamelessEnd, prepareFolder, recordCommits } from '../../../src/server/folder/prepare.ts';
import { readerOf } from '../../../src/server/folder/verify.ts';
import { pageBytes, zeroLeafOf } from '../../support/damaged-leaf.ts';

const wish = { partitions: 3, origin: 'https://social.example' };
let parent: string;
let folder: DataFolder;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-prepare-'));
  folder = openDataFolder(join(parent, 'data'));
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

async function put<K extends readonly unknown[], V>(partition: number, space: Keyspace<K, V>, key: K, value: V) {
  const log = openPartition(folder, partition);
  await append(log, { keys: [space.encode(key)], values: [space.value.encode(value)] });
  await log.close();
}

async function commit(partition: number, number: number): Promise<void> {
  const counters = {
    idMillisecondsMax: 0,
    inboxSequence: 0,
    timerSequence: 0,
    effectSequence: 0,
    idGapFrom: 0,
    idGapUntil: 0,
    deadLettersKept: 0,
    deadLettersArchived: 0,
    eventsTrimmedCommit: 0,
    eventsTrimmedIndex: 0,
  };
  await put(partition, meta, [0], { ...counters, commit: number, deadLetterSequence: 0, eventBytes: 0, epoch: 0 });
}

async function identities() {
  const logs = [0, 1, 2].map((number) => openPartition(folder, number));
  const found = logs.map((log) => readerOf(log).get(identity, [0]));
  await Promise.all(logs.map((log) => log.close()));
  return found;
}

function fileOf(partition: number): string {
  return join(folder.path, `partition-${partition}`, 'data.mdb');
}

function overwrite(file: string, bytes: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes), 0, bytes, 0);
  closeSync(descriptor);
}

/** Entries of half a page each. */
async function fill(partition: number, entries: number): Promise<Uint8Array[]> {
  const keys = Array.from({ length: entries }, (_, number) => pageKey(number));
  const log = openPartition(folder, partition);
  await append(log, { keys, values: keys.map(() => Buffer.alloc(pageBytes * 0.4, 7)) });
  await log.close();
  return keys;
}

function pageKey(number: number): Uint8Array {
  return Buffer.from([0, 1, 200, ...Buffer.from(String(number).padStart(8, '0'))]);
}

/** As an operator restores one thing alone from an older copy. */
function restore(copy: string, name: string): void {
  rmSync(join(folder.path, name), { recursive: true });
  cpSync(join(copy, name), join(folder.path, name), { recursive: true });
}

test('a new folder has all its partitions, and each knows where it belongs', async () => {
  const manifest = await prepareFolder(folder, wish);
  const expected = { format: folderFormat, epoch: 1, partitions: 3, commits: [0, 0, 0], origin: wish.origin };
  expect(manifest).toMatchObject(expected);
  expect(readManifest(folder)).toEqual(manifest);
  expect(await identities()).toEqual(
    [0, 1, 2].map((number) => expect.objectContaining({ folder: manifest.id, number, partitions: 3, epoch: 1 })),
  );
});

test('each start is an epoch of its own, and remembers the commits', async () => {
  await prepareFolder(folder, wish);
  await commit(1, 44);
  const second = await prepareFolder(folder, wish);
  expect(second).toMatchObject({ epoch: 2, commits: [0, 44, 0] });
  await commit(2, 5);
  await recordCommits(folder, second);
  expect(readManifest(folder)).toMatchObject({ epoch: 2, commits: [0, 44, 5] });
  expect(readManifest(folder)).not.toHaveProperty('unclosedStarts');
});

test('an end that nothing in the folder is to blame for does not count', async () => {
  await prepareFolder(folder, wish);
  const second = await prepareFolder(folder, wish);
  expect(readManifest(folder)).toMatchObject({ unclosedStarts: 2 });
  noteBlamelessEnd(folder, second);
  expect(readManifest(folder)).toMatchObject({ unclosedStarts: 1, epoch: 2 });
  await recordCommits(folder, second);
  noteBlamelessEnd(folder, await prepareFolder(folder, wish));
  expect(readManifest(folder)).not.toHaveProperty('unclosedStarts');
});

test('after two servers that did not stop, every page is read and not only the upper ones', async () => {
  const wish = { partitions: 1, origin: 'https://social.example' };
  const first = await prepareFolder(folder, wish);
  const keys = await fill(0, 4_000);
  await recordCommits(folder, first);
  zeroLeafOf(fileOf(0), keys.at(-100)!);
  const told: string[] = [];
  const prepare = () => prepareFolder(folder, wish, (sentence) => void told.push(sentence));
  await prepare();
  expect(readManifest(folder)).toMatchObject({ unclosedStarts: 1 });
  await prepare();
  expect(readManifest(folder)).toMatchObject({ unclosedStarts: 2 });
  expect(told).toEqual([]);
  await expect(prepare()).rejects.toThrow(
    /damaged: partition-0\/data\.mdb is overwritten: its page \d+ is not what it was\. Nothing was changed\./,
  );
  // It takes its time, also for a command.
  expect(told).toEqual(['The server ended twice without being stopped: every page of its data folder is read first.']);
});

test('a request to stop is heard before all pages of all partitions were read', async () => {
  for (let start = 0; start < 3; start += 1) await prepareFolder(folder, wish);
  const before = readFileSync(join(folder.path, 'manifest.json'), 'utf8');
  const stop = new AbortController();
  await expect(prepareFolder(folder, wish, () => stop.abort(), stop.signal)).rejects.toBe(stop.signal.reason);
  expect(readFileSync(join(folder.path, 'manifest.json'), 'utf8')).toBe(before);
});

test('the table of readers has its place on the disk from the start', async () => {
  await prepareFolder(folder, wish);
  const { blocks, size } = statSync(join(folder.path, 'partition-0', 'lock.mdb'));
  expect(blocks * 512).toBeGreaterThanOrEqual(size);
});

test('a start that was interrupted between two partitions is taken up', async () => {
  const { id } = await prepareFolder(folder, wish);
  await put(0, identity, [0], { folder: id, number: 0, partitions: 3, epoch: 2, format: folderFormat });
  expect(await prepareFolder(folder, wish)).toMatchObject({ epoch: 2 });
  expect(await prepareFolder(folder, wish)).toMatchObject({ epoch: 3 });
});

test('a folder of which only a part was made is made anew', async () => {
  const { id } = await prepareFolder(folder, wish);
  const unfinished = { ...readManifest(folder), epoch: 0 };
  writeFileSync(join(folder.path, 'manifest.json'), JSON.stringify(unfinished));
  rmSync(join(folder.path, 'partition-1'), { recursive: true });
  const manifest = await prepareFolder(folder, wish);
  expect(manifest.epoch).toBe(1);
  expect(manifest.id).not.toBe(id);
});

describe('a start is refused, and nothing is changed, where', () => {
  interface Case {
    readonly what: string;
    readonly happens: (copy: string) => void | Promise<void>;
    readonly sentence: RegExp;
  }

  const damages: readonly [string, Uint8Array][] = [
    ['garbage', Uint8Array.of(0xdf, 0xff, 0xff)],
    ['nothing', new Uint8Array(0)],
    ['null', pack(null)],
    ['a number', pack(5)],
    ['a list of something else', pack([{ odd: 1 }])],
  ];

  const cases: readonly Case[] = [
    ...[metaRecords, { ...identity, value: raw }, cursorRecords].flatMap((space) =>
      damages.map(([damage, bytes]) => ({
        what: `a record of ${space.name} is ${damage}`,
        happens: () => put(1, space, [0], Uint8Array.from(bytes)),
        sentence: new RegExp(
          `partition-1/data\\.mdb has a record of "${space.name}" that cannot be decoded\\. Nothing was changed`,
        ),
      })),
    ),
    {
      what: 'a file of a partition is missing',
      happens: () => rmSync(fileOf(2)),
      sentence: /partition-2\/data\.mdb is missing\. Nothing was changed\. Restore the whole folder from one backup\./,
    },
    {
      what: 'the folder of a partition is missing',
      happens: () => rmSync(join(folder.path, 'partition-0'), { recursive: true }),
      sentence: /partition-0\/data\.mdb is missing/,
    },
    {
      what: 'the manifest is missing',
      happens: () => rmSync(join(folder.path, 'manifest.json')),
      sentence: /manifest\.json is missing/,
    },
    {
      what: 'a file is cut in half',
      happens: () => truncateSync(fileOf(1), Math.floor(readFileSync(fileOf(1)).length / 2)),
      sentence: /partition-1\/data\.mdb is (cut off: it has \d+ bytes|overwritten)/,
    },
    {
      what: 'a file is empty',
      happens: () => truncateSync(fileOf(1), 0),
      sentence: /partition-1\/data\.mdb is cut off: it has only 0 bytes/,
    },
    {
      what: 'the first page of a file is zeroed',
      happens: () => overwrite(fileOf(1), 4_096),
      sentence: /partition-1\/data\.mdb is overwritten: its first page is empty/,
    },
    {
      what: 'all pages of a file are zeroed',
      happens: () => overwrite(fileOf(0), readFileSync(fileOf(0)).length),
      sentence: /partition-0\/data\.mdb is overwritten/,
    },
    {
      what: 'a file is something else',
      happens: () => writeFileSync(fileOf(1), 'This is no database.'.repeat(1_000)),
      sentence: /partition-1\/data\.mdb is overwritten: its first page is not one of a database/,
    },
    {
      what: 'two partitions have changed places',
      happens: () => {
        renameSync(fileOf(0), `${fileOf(0)}.kept`);
        renameSync(fileOf(1), fileOf(0));
        renameSync(`${fileOf(0)}.kept`, fileOf(1));
      },
      sentence: /partition-0\/data\.mdb is in the place of partition 1/,
    },
    {
      what: 'a partition is one of another folder',
      happens: async () => {
        const other = openDataFolder(join(parent, 'other'));
        await prepareFolder(other, wish);
        cpSync(join(other.path, 'partition-1', 'data.mdb'), fileOf(1));
      },
      sentence: /partition-1\/data\.mdb belongs to another data folder/,
    },
    {
      what: 'a partition is of an earlier start',
      happens: async (copy) => {
        await prepareFolder(folder, wish);
        restore(copy, 'partition-1');
      },
      sentence: /partition-1\/data\.mdb is older than the rest/,
    },
    {
      what: 'the manifest is of a much earlier start',
      happens: async (copy) => {
        for (let start = 0; start < 3; start += 1) await prepareFolder(folder, wish);
        restore(copy, 'manifest.json');
      },
      sentence: /manifest\.json is older than the partitions/,
    },
    {
      what: 'a partition has lost commits that the manifest remembers',
      happens: async () => {
        await commit(2, 90);
        await recordCommits(folder, (await prepareFolder(folder, wish)) as never);
        await commit(2, 89);
      },
      sentence: /partition-2\/data\.mdb is older than the rest/,
    },
    {
      what: 'a partition has lost what it sent to another',
      happens: async () => {
        await put(0, cursors, [2], { sequence: 7, epoch: 1, digest: undefined });
        await put(2, outbox, [0, 6], pack(['a message']));
      },
      sentence: /partition-2\/data\.mdb is older than partition-0\/data\.mdb/,
    },
    {
      what: 'a partition has sent something else to another than that one has taken',
      happens: async () => {
        await put(0, cursors, [2], { sequence: 6, epoch: 1, digest: 1 });
        await put(2, outbox, [0, 6], pack(['a message']));
      },
      sentence: /partition-2\/data\.mdb is older than partition-0\/data\.mdb/,
    },
    {
      what: 'a partition has lost what it acknowledged to another',
      happens: async () => {
        await put(0, cursors, [2], { sequence: 4, epoch: 1, digest: undefined });
        await put(2, outbox, [0, 6], pack(['a message']));
      },
      sentence: /partition-0\/data\.mdb is older than partition-2\/data\.mdb/,
    },
    {
      what: 'there are more partitions than the manifest tells of',
      happens: () => cpSync(join(folder.path, 'partition-2'), join(folder.path, 'partition-3'), { recursive: true }),
      sentence: /manifest\.json tells of 3 partitions, and there is a partition-3 too/,
    },
  ];

  test.each(cases)('$what', async ({ happens, sentence }) => {
    await prepareFolder(folder, wish);
    await commit(1, 1);
    const copy = join(parent, 'copy');
    cpSync(folder.path, copy, { recursive: true });
    await happens(copy);
    const files = () =>
      Object.fromEntries(
        readdirSync(folder.path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name !== 'lock.mdb')
          .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name))]),
      );
    const before = files();
    await expect(prepareFolder(folder, wish)).rejects.toThrow(sentence);
    expect(files()).toEqual(before);
  });
});

test('what is left of a folder without a manifest is not taken for a new folder', async () => {
  await prepareFolder(folder, wish);
  rmSync(join(folder.path, 'manifest.json'));
  rmSync(join(folder.path, 'partition-1'), { recursive: true });
  await expect(prepareFolder(folder, wish)).rejects.toThrow('manifest.json is missing');
  expect(existsSync(fileOf(0))).toBe(true);
});

test.each([
  ['all of it', Uint8Array.of(0xdf, 0xff, 0xff)],
  ['all but its first byte', Uint8Array.of(0xc1, ...new Uint8Array(40).fill(0xdf))],
])('the last message that was taken, damaged since (%s), keeps no server from its start', async (_what, bytes) => {
  await prepareFolder(folder, wish);
  await put(0, cursors, [2], { sequence: 6, epoch: 1, digest: 5 });
  await put(2, outbox, [0, 6], bytes);
  expect((await prepareFolder(folder, wish)).epoch).toBe(2);
});

test('a damaged message behind the last one that was taken keeps no server from its start', async () => {
  await prepareFolder(folder, wish);
  const taken = frameRecord({ epoch: 1, previous: 5 }, 100, [pack('a message')]);
  await put(0, cursors, [2], { sequence: 6, epoch: 1, digest: digestOfFrame(taken) });
  await put(2, outbox, [0, 6], taken);
  await put(2, outbox, [0, 7], Uint8Array.of(0xc1, ...new Uint8Array(40).fill(0xdf)));
  expect((await prepareFolder(folder, wish)).epoch).toBe(2);
});

test('a message that was taken long ago and is damaged since keeps no server from its start', async () => {
  await prepareFolder(folder, wish);
  const digest = 5;
  await put(0, cursors, [2], { sequence: 6, epoch: 1, digest });
  await put(2, outbox, [0, 6], Uint8Array.of(0xdf, 0xff, 0xff));
  await put(2, outbox, [0, 7], frameRecord({ epoch: 1, previous: digest }, 100, [pack('a message')]));
  expect((await prepareFolder(folder, wish)).epoch).toBe(2);
});
