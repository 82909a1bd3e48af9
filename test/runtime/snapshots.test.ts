/** Reads of threads that own no partition. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { id, type Keyspace, keyspace, uint53 } from '../../src/runtime/storage/keyspace.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import { meta } from '../../src/runtime/storage/machine.ts';
import type { RangeQuery } from '../../src/runtime/storage/reader.ts';
import { type OpenSnapshots, openSnapshots, Snapshots } from '../../src/runtime/storage/snapshots.ts';
import { Client } from '../../src/runtime/threads/client.ts';
import { MemoryStore } from '../support/memory-log.ts';
import { until } from '../support/until.ts';
import { callingThread } from './support/calling-thread.ts';
import { act, board, notes, playerOf } from './support/players.ts';

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
  const snapshots = opened.snapshots.beginReads();
  expect([snapshots.get(notes, [alice, 1]), snapshots.get(notes, [bob, 1])]).toEqual(['of alice', 'of bob']);
  expect([...snapshots.range(notes, [bob])].map(({ value }) => value)).toEqual(['of bob']);
});

test('a request sees what was committed before it, at its first read of each partition', async () => {
  await write(0, notes, [alice, 1], 'one');
  expect(opened.snapshots.beginReads().get(notes, [alice, 1])).toBe('one');
  await write(0, notes, [alice, 1], 'two');
  expect(opened.snapshots.beginReads().get(notes, [alice, 1])).toBe('two');
});

test('what every partition holds a share of is read from each of them', async () => {
  await write(0, board, [1, 1], 'first');
  await write(1, board, [1, 2], 'second');
  const { partitions } = opened.snapshots.beginReads();
  expect(partitions.map((reader) => [...reader.range(board, [1])].map(({ value }) => value))).toEqual([
    ['first'],
    ['second'],
  ]);
  expect(() => opened.snapshots.get(board, [1, 1])).toThrow('partition-wide');
});

test('stored records are the same bytes until one of them changes, comes or goes', async () => {
  const moods = keyspace<[bigint, number], string>({ ...notes, number: 201, key: [id('player'), uint53('position')] });
  const stored = (position = 1) => Buffer.from(opened.snapshots.beginReads().stored([notes, moods], [alice, position]));
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

test('a snapshot ends with its round of the event loop', async () => {
  const read = () => opened.snapshots.get(notes, [alice, 1]);
  await write(0, notes, [alice, 1], 'one');
  await until(() => read() === 'one');
  await write(0, notes, [alice, 1], 'two');
  await until(() => read() === 'two');
});

describe('whoever was told of a commit', () => {
  let stores: MemoryStore[];
  let snapshots: Snapshots;

  beforeEach(() => {
    stores = [new MemoryStore(), new MemoryStore()];
    snapshots = new Snapshots(
      evenPlacement(2),
      stores.map((store) => store.snapshot()),
    );
    commit('one');
  });

  function commit(text: string): void {
    stores[0]!.apply({ keys: [notes.encode([alice, 1])], values: [notes.value.encode(text)] });
    stores[1]!.apply({ keys: [notes.encode([bob, 1])], values: [notes.value.encode(text)] });
  }

  const read = () => [snapshots.get(notes, [alice, 1]), snapshots.get(notes, [bob, 1])];

  test.each([
    ['a new commit', { partition: 0, commit: 2 }, 'two'],
    ['a new commit of another partition, which may have caused this one', { partition: 1, commit: 1 }, 'two'],
    ['an answer that tells of no commit in particular', undefined, 'two'],
    ['a commit that it knows', { partition: 0, commit: 1 }, 'one'],
  ])('reads nothing older: %s', (_what, position, expected) => {
    snapshots.noteCommit({ partition: 0, commit: 1 });
    expect(read()).toEqual(['one', 'one']);
    commit('two');
    expect(read()).toEqual(['one', 'one']);
    snapshots.noteCommit(position);
    expect(read()).toEqual([expected, expected]);
  });

  test.each([
    ['a reply', { ok: true, value: 'done' }],
    ['a refusal', { ok: false, failure: { code: 'notFound', text: 'there is none' } }],
  ] as const)('by %s to a call reads it without a further word', async (_what, result) => {
    const { thread, sent } = callingThread();
    const client = new Client(thread, evenPlacement(2), (position) => snapshots.noteCommit(position));
    expect(read()).toEqual(['one', 'one']);
    const asked = client.call(act(alice, 'write'), 'account:1').then(read, read);
    commit('two');
    const handle = sent[0]!.replyTo;
    client.replied({ type: 'reply', handle, result, position: { partition: 0, commit: 2 } });
    expect(await asked).toEqual(['two', 'two']);
    client.close();
  });
});

describe('an entry that cannot be decoded', () => {
  const damaged = Uint8Array.of(0xdf, 0xff, 0xff);
  const shown = { ...notes, absentIfDamaged: true };
  const sentence = new RegExp(`^the entry ${alice}, 2 of notes cannot be decoded: `);
  let met: [message: string, isLeftOut: boolean, partition: number][];
  let snapshots: Snapshots;

  beforeEach(() => {
    const store = new MemoryStore();
    met = [];
    snapshots = new Snapshots(evenPlacement(1), [store.snapshot()], ({ entry, isLeftOut }, partition) => {
      expect(entry.key).toEqual(Uint8Array.from(notes.encode([alice, 2])));
      met.push([entry.message, isLeftOut, partition]);
    }).beginReads();
    store.apply({
      keys: [1, 2, 3].map((position) => notes.encode([alice, position])),
      values: [notes.value.encode('one'), damaged, notes.value.encode('three')],
    });
  });

  test('of what is only shown is left out, and told once with its place', () => {
    for (let count = 0; count < 2; count += 1) {
      expect(snapshots.get(shown, [alice, 2])).toBeUndefined();
      expect(Array.from(snapshots.range(shown, [alice]), ({ value }) => value)).toEqual(['one', 'three']);
    }
    expect(met).toEqual([[expect.stringMatching(sentence), true, 0]]);
  });

  test('and is left out takes no place of those that were asked for', () => {
    const read = (query: RangeQuery) => Array.from(snapshots.range(shown, [alice], query), ({ value }) => value);
    expect([read({ limit: 2 }), read({ from: 2, limit: 1 })]).toEqual([['one', 'three'], ['three']]);
    expect([read({ reverse: true, limit: 1 }), read({ limit: 0 })]).toEqual([['three'], []]);
  });

  test('of anything else fails what asks for it, and is told once with its place', () => {
    expect(() => snapshots.get(notes, [alice, 2])).toThrow(sentence);
    expect(() => [...snapshots.range(notes, [alice])]).toThrow(sentence);
    expect(snapshots.get(notes, [alice, 3])).toBe('three');
    expect(met).toEqual([[expect.stringMatching(sentence), false, 0]]);
  });
});

describe('whether a partition can be read', () => {
  let store: MemoryStore;
  let snapshots: Snapshots;
  let isBroken: boolean;
  const can = () => snapshots.isReadable(1);
  const read = () => snapshots.beginReads().get(notes, [bob, 1]);

  beforeEach(() => {
    isBroken = false;
    store = new MemoryStore();
    const broken = store.snapshot();
    broken.isUnreadable = () => isBroken;
    snapshots = new Snapshots(evenPlacement(2), [new MemoryStore().snapshot(), broken]);
  });

  test('is found out without anybody reading it', () => {
    expect(can()).toBe(true);
    isBroken = true;
    expect([can(), can(), snapshots.isReadable(0)]).toEqual([false, false, true]);
    isBroken = false;
    expect([can(), can()]).toEqual([true, true]);
  });

  test.each<[string, () => unknown]>([
    ['an entry', read],
    ['a range', () => [...snapshots.beginReads().range(notes, [bob])]],
    ['stored bytes', () => snapshots.beginReads().stored([notes], [bob, 1])],
  ])('is denied once where %s could not be read since it was asked last', (_what, attempt) => {
    isBroken = true;
    expect(attempt).toThrow('the storage could not be read');
    isBroken = false;
    expect([can(), can(), snapshots.isReadable(0)]).toEqual([false, true, true]);
  });

  test('is no matter of a record that is damaged, also not of the counters', () => {
    const damaged = Uint8Array.of(0xdf, 0xff, 0xff);
    store.apply({ keys: [notes.encode([bob, 1]), meta.encode([0])], values: [damaged, damaged] });
    expect(read).toThrow('cannot be decoded');
    expect(snapshots.commits).toEqual([0, 0]);
    expect(can()).toBe(true);
  });

  test('is known of LMDB as well', async () => {
    expect(opened.snapshots.isReadable(1)).toBe(true);
    await opened.close();
    expect(opened.snapshots.isReadable(1)).toBe(false);
  });
});
