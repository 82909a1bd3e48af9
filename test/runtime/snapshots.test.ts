/** Reading from threads that own nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { id, type Keyspace, keyspace, whole } from '../../src/runtime/storage/keyspace.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import { type OpenSnapshots, openSnapshots } from '../../src/runtime/storage/snapshots.ts';
import { board, notes, playerOf } from './support/players.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);
const mapBytes = 1 << 26;

let folder: string;
let logs: LmdbLog[];
let opened: OpenSnapshots;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-snapshots-'));
  const pathOf = (partition: number) => join(folder, `partition-${partition}`);
  logs = [0, 1].map((number) => new LmdbLog({ path: pathOf(number), mapBytes }));
  opened = openSnapshots(evenPlacement(2), pathOf, mapBytes);
});
afterEach(async () => {
  await opened.close();
  await Promise.all(logs.map((log) => log.close()));
  await rm(folder, { recursive: true });
});

/** Commits an entry the way the owner of the partition does. */
function write<Key extends readonly unknown[]>(
  partition: number,
  space: Keyspace<Key, string>,
  key: Key,
  text: string,
) {
  const batch = { keys: [space.encode(key)], values: [space.value.encode(text)] };
  return new Promise<void>((resolve, reject) =>
    logs[partition]!.append(batch, (error) => (error === undefined ? resolve() : reject(error))),
  );
}

test('an id tells which partition to read', async () => {
  await write(0, notes, [alice, 1], 'of alice');
  await write(1, notes, [bob, 1], 'of bob');
  const snapshots = opened.snapshots.fresh();
  expect([snapshots.get(notes, [alice, 1]), snapshots.get(notes, [bob, 1])]).toEqual(['of alice', 'of bob']);
  expect([...snapshots.range(notes, [bob])].map(({ value }) => value)).toEqual(['of bob']);
});

test('a request sees what was committed before it, at its first read of each partition', async () => {
  await write(0, notes, [alice, 1], 'one');
  expect(opened.snapshots.fresh().get(notes, [alice, 1])).toBe('one');
  await write(0, notes, [alice, 1], 'two');
  expect(opened.snapshots.fresh().get(notes, [alice, 1])).toBe('two');
});

test('what every partition holds a share of is read from each of them', async () => {
  await write(0, board, [1, 1], 'first');
  await write(1, board, [1, 2], 'second');
  const { partitions } = opened.snapshots.fresh();
  expect(partitions.map((reader) => [...reader.range(board, [1])].map(({ value }) => value))).toEqual([
    ['first'],
    ['second'],
  ]);
  expect(() => opened.snapshots.get(board, [1, 1])).toThrow('partition-wide');
});

test('stored records are the same bytes until one of them changes, comes or goes', async () => {
  const moods = keyspace<[bigint, number], string>({ ...notes, number: 201, key: [id('player'), whole('position')] });
  const stored = (position = 1) => Buffer.from(opened.snapshots.fresh().stored([notes, moods], [alice, position]));
  const seen = [stored()];
  await write(0, notes, [alice, 1], 'one');
  seen.push(stored());
  await write(0, moods, [alice, 1], 'glad');
  seen.push(stored());
  await write(0, moods, [alice, 1], 'sad');
  seen.push(stored());
  await write(0, notes, [alice, 2], 'one');
  await write(0, moods, [alice, 2], 'sad');
  expect(stored(1)).toEqual(seen.at(-1));
  expect(stored(2)).toEqual(seen.at(-1));
  expect(new Set(seen.map((bytes) => bytes.toString('hex'))).size).toBe(seen.length);
});
