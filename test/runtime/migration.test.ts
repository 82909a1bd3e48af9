/** Migrations of a partition on LMDB: in slices, resumed after any interruption. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pack, unpack } from '../../src/runtime/codec.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import type { LogBatch, PartitionLog, RangeOptions, StorageReader } from '../../src/runtime/storage/log.ts';
import { identity } from '../../src/runtime/storage/machine.ts';
import { type Migration, MigrationStalled, migrate } from '../../src/runtime/storage/migration.ts';
import { SnapshotReader } from '../../src/runtime/storage/reader.ts';

const entries = 25;
let folder: string;
let log: LmdbLog;
let looked: number;

/** Slot, keyspace 60, and the rest of the key. */
const keyOf = (number: number) => Uint8Array.of(0, number, 60, 1);
const keyOfOther = Uint8Array.of(0, 3, 61, 1);

/** A number becomes the list of itself, and every third goes. */
const listed: Migration = {
  format: 4,
  keyspaces: [60],
  change({ key, value }) {
    looked += 1;
    const stored = unpack(value);
    if (typeof stored !== 'number') return { keys: [], values: [] };
    return { keys: [key], values: [stored % 3 === 0 ? undefined : pack([stored])] };
  },
};
const doubled: Migration = {
  ...listed,
  format: 5,
  change: ({ key, value }) => ({ keys: [key], values: [pack({ was: unpack(value) })] }),
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-migration-'));
  log = new LmdbLog({ path: join(folder, 'env'), mapBytes: 1 << 24 });
  looked = 0;
  const numbers = Array.from({ length: entries }, (_, number) => number);
  const first = { folder: 'f', number: 0, partitions: 1, epoch: 1, format: 3 };
  await append({
    keys: [...numbers.map(keyOf), keyOfOther, identity.encode([0])],
    values: [...numbers.map(pack), pack(99), identity.value.encode(first)],
  });
  log.reader.refresh();
});

afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

async function append(batch: LogBatch): Promise<void> {
  await new Promise<void>((done, fail) => log.append(batch, (error) => (error ? fail(error) : done())));
  log.reader.refresh();
}

function stored(): unknown[] {
  const entries = [...log.reader.range({ start: Uint8Array.of(0), end: Uint8Array.of(1) })];
  return entries.filter(({ key }) => key[2] === 60).map(({ value }) => unpack(value));
}

const wanted = Array.from({ length: entries }, (_, number) => number)
  .filter((number) => number % 3 !== 0)
  .map((number) => [number]);

test('ends between two slices when it is told to, and goes on there', async () => {
  const stop = new AbortController();
  const once = (batch: LogBatch) => {
    stop.abort();
    return append(batch);
  };
  const input = { log, migrations: [listed, doubled], entriesPerSlice: 7 };
  await expect(migrate({ ...input, append: once, signal: stop.signal })).rejects.toBe(stop.signal.reason);
  expect(looked).toBeLessThan(7);
  expect(new SnapshotReader(log.reader).get(identity, [0])).toMatchObject({ format: 3 });
  await migrate({ ...input, append });
  expect(looked).toBe(entries);
  expect(stored()).toEqual(wanted.map((was) => ({ was })));
});

test.each([1, 7, 25, 1_000])('in slices of %i', async (entriesPerSlice) => {
  const slices: number[] = [];
  const counted = (batch: LogBatch) => {
    slices.push(batch.keys.length - 1);
    return append(batch);
  };
  await migrate({ log, migrations: [listed], entriesPerSlice, append: counted });
  expect(stored()).toEqual(wanted);
  expect(Math.max(...slices)).toBeLessThanOrEqual(entriesPerSlice);
  expect(new SnapshotReader(log.reader).get(identity, [0])).toMatchObject({ format: 4, migrated: undefined });
  expect(unpack(log.reader.get(keyOfOther)!)).toBe(99);
});

test('interrupted before or after any slice, it goes on where it was', async () => {
  for (let interruptions = 0; ; interruptions += 1) {
    let appends = 0;
    const interrupted = async (batch: LogBatch) => {
      appends += 1;
      if (appends === 2) {
        if (interruptions % 2 === 1) await append(batch);
        throw new Error('the power went');
      }
      await append(batch);
    };
    try {
      await migrate({ log, migrations: [listed], entriesPerSlice: 4, append: interrupted });
      break;
    } catch (error) {
      expect((error as Error).message).toBe('the power went');
    }
  }
  expect(stored()).toEqual(wanted);
  // Nothing was begun again from the start: only slices that were lost were looked at twice.
  expect(looked).toBeLessThan(entries * 2);
});

test.each([2, 1_000])('a change reads what earlier ones of its slice of %i have written', async (entriesPerSlice) => {
  const sum = Uint8Array.of(0, 30, 62, 1);
  const summed: Migration = {
    format: 4,
    keyspaces: [60],
    change: ({ value }, read) => {
      const before = read(sum);
      return {
        keys: [sum],
        values: [pack((before === undefined ? 0 : (unpack(before) as number)) + Number(unpack(value)))],
      };
    },
  };
  await migrate({ log, migrations: [summed], entriesPerSlice, append });
  expect(unpack(log.reader.get(sum)!)).toBe((entries * (entries - 1)) / 2);
});

test('several run in the order of their formats, and none a second time', async () => {
  const input = { log, migrations: [doubled, listed], append };
  await migrate(input);
  await migrate(input);
  expect(stored()).toEqual(wanted.map((was) => ({ was })));
  expect(new SnapshotReader(log.reader).get(identity, [0])).toMatchObject({ format: 5 });
});

test.each<[string, (batch: LogBatch) => LogBatch, (options: RangeOptions) => RangeOptions]>([
  ['keep how far it has come', ({ keys, values }) => ({ keys: keys.slice(0, -1), values }), (options) => options],
  ['go on from there', (batch) => batch, (options) => ({ ...options, start: Uint8Array.of(0) })],
])('it ends with an error where the log does not %s', async (_what, kept, asked) => {
  const { reader } = log;
  const odd: Pick<StorageReader, 'get' | 'range'> = {
    get: (key) => reader.get(key),
    range: (options) => reader.range(asked(options)),
  };
  let slices = 0;
  const bounded = async (batch: LogBatch) => {
    slices += 1;
    if (slices > entries) throw new Error('it goes on without end');
    await append(kept(batch));
  };
  const input = { log: { reader: odd } as PartitionLog, migrations: [listed], entriesPerSlice: 4, append: bounded };
  await expect(migrate(input)).rejects.toThrow(MigrationStalled);
});
