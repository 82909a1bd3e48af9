/** The guarantees of a PartitionLog: the LMDB log over a folder, the memory log, a log in a NATS server, and in three. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NatsAddress, natsAccess } from '../../src/runtime/cluster/nats-access.ts';
import { createStream, streamOfPartition } from '../../src/runtime/cluster/nats-servers.ts';
import type { LogRefusal, PartitionLog, RangeOptions } from '../../src/runtime/storage/log.ts';
import { MemoryLog, MemoryStore } from '../support/memory-log.ts';
import { natsProgram, startNatsServer, startNatsServers } from '../support/nats-server.ts';
import { append, batchOf, key, recordOf, textOf, value } from './support/log-batches.ts';
import { answerOf, type Opened, openLmdb, openNats, openRecorded } from './support/logs.ts';

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`The log in a NATS server is not tested: ${nats.missing}.`);
// because each append waits for three disks: what three servers do otherwise than one is in three-servers.test.ts
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const streamed = ['StreamLog', ...(isLong ? ['StreamLog over three servers'] : [])];
const implementations = ['LmdbLog', 'MemoryLog', ...(nats.missing === undefined ? streamed : [])];

function read(log: PartitionLog, options: Omit<RangeOptions, 'start' | 'end'> & { start?: string; end?: string } = {}) {
  const { start = '\x00', end = '\xff', ...rest } = options;
  return [...log.reader.range({ start: key(start), end: key(end), ...rest })].map(
    (entry) => `${Buffer.from(entry.key).toString('latin1')}=${textOf(entry.value)}`,
  );
}

describe.each(implementations)('%s', (implementation) => {
  let folder: string;
  let opened: Opened;
  const replicas = implementation === 'StreamLog' ? 1 : 3;
  let servers: { readonly address: NatsAddress; stop(): Promise<void> } | undefined;
  let store: string | undefined;
  let streams = 0;

  beforeAll(async () => {
    if (!streamed.includes(implementation)) return;
    store = await mkdtemp(join(tmpdir(), 'murmuration-nats-'));
    servers =
      replicas === 1 ? await startNatsServer(nats.path, { folder: store }) : await startNatsServers(nats.path, store);
  });
  afterAll(async () => {
    await servers?.stop();
    if (store !== undefined) await rm(store, { recursive: true });
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'murmuration-log-'));
    opened = await openNew(join(folder, 'partition'));
  });

  async function openNew(path: string): Promise<Opened> {
    if (implementation === 'LmdbLog') return await openLmdb(path);
    if (servers === undefined) return await openRecorded();
    streams += 1;
    const access = natsAccess(servers.address);
    await createStream(await access.client(), streams, replicas);
    await access.close();
    return await openNats(path, servers.address, streamOfPartition(streams));
  }
  afterEach(async () => {
    await opened.log.close();
    await rm(folder, { recursive: true });
  });

  async function write(entries: Record<string, string | undefined>): Promise<void> {
    await append(opened.log, batchOf(entries));
    opened.log.reader.refresh();
  }

  test('what was written can be read, and what was not is undefined', async () => {
    await write({ alice: 'one', bob: 'two' });
    expect(textOf(opened.log.reader.get(key('alice')))).toBe('one');
    expect(opened.log.reader.get(key('carol'))).toBeUndefined();
    expect(opened.log.reader.get(key('alic'))).toBeUndefined();
  });

  test('a value has its own size in every respect', async () => {
    await write({ alice: 'one', empty: '' });
    const bytes = opened.log.reader.get(key('alice'))!;
    expect([bytes.length, bytes.byteLength, bytes.slice().length]).toEqual([3, 3, 3]);
    expect(opened.log.reader.get(key('empty'))).toHaveLength(0);
  });

  test('the last of several writes to a key in one batch counts', async () => {
    const keys = [key('a'), key('a'), key('b'), key('b')];
    await append(opened.log, { keys, values: [value('one'), value('two'), value('three'), undefined] });
    opened.log.reader.refresh();
    expect(read(opened.log)).toEqual(['a=two']);
  });

  test('a delete removes, also what is not there', async () => {
    await write({ alice: 'one', bob: 'two' });
    await write({ alice: undefined, carol: undefined });
    expect(read(opened.log)).toEqual(['bob=two']);
  });

  test('batches are applied in the order of their appends, each once', async () => {
    const order: number[] = [];
    const appends = Array.from({ length: 20 }, (_, number) =>
      append(opened.log, batchOf({ last: String(number), [`batch ${String(number).padStart(2, '0')}`]: 'here' })).then(
        () => void order.push(number),
      ),
    );
    await Promise.all(appends);
    opened.log.reader.refresh();
    expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(textOf(opened.log.reader.get(key('last')))).toBe('19');
    expect(read(opened.log, { start: 'batch', end: 'batci' })).toHaveLength(20);
  });

  test('an append never completes within the call, and what it wrote is not seen before', async () => {
    let completed = false;
    const done = new Promise<void>((resolve) =>
      opened.log.append(batchOf({ alice: 'one' }), () => {
        completed = true;
        resolve();
      }),
    );
    expect(completed).toBe(false);
    opened.log.reader.refresh();
    expect(opened.log.reader.get(key('alice'))).toBeUndefined();
    await done;
    opened.log.reader.refresh();
    expect(textOf(opened.log.reader.get(key('alice')))).toBe('one');
  });

  test('what is read within one tick is one state, also when a range is open', async () => {
    await write({ a: '1', b: '1', c: '1' });
    const seen: (string | undefined)[] = [];
    let done: Promise<void> | undefined;
    for (const entry of opened.log.reader.range({ start: key('a'), end: key('d') })) {
      done ??= append(opened.log, batchOf({ a: '2', b: undefined, bb: '2', c: '2' }));
      seen.push(textOf(entry.key), textOf(opened.log.reader.get(entry.key)));
    }
    expect(seen).toEqual(['a', '1', 'b', '1', 'c', '1']);
    await done;
    opened.log.reader.refresh();
    expect(read(opened.log)).toEqual(['a=2', 'bb=2', 'c=2']);
  });

  test('reads go on after closing and opening again', async () => {
    await write({ alice: 'one', bob: 'two' });
    opened = await opened.reopen();
    expect(read(opened.log)).toEqual(['alice=one', 'bob=two']);
    await write({ alice: 'three' });
    expect(read(opened.log)).toEqual(['alice=three', 'bob=two']);
  });

  test('values of 1 MB and batches of 5000 entries', async () => {
    const large = Buffer.alloc(1024 * 1024, 'murmuration');
    await append(opened.log, { keys: [key('large'), key('small')], values: [large, value('x')] });
    const keys = Array.from({ length: 5000 }, (_, number) => key(`entry ${String(number).padStart(4, '0')}`));
    await append(opened.log, { keys, values: keys.map((bytes) => Buffer.concat([bytes, Buffer.alloc(200)])) });
    opened.log.reader.refresh();
    expect(Buffer.compare(opened.log.reader.get(key('large'))!, large)).toBe(0);
    const [entry] = opened.log.reader.range({ start: key('large'), end: key('large\x00') });
    expect(Buffer.compare(entry!.value, large)).toBe(0);
    expect(read(opened.log, { start: 'entry', end: 'entrz' })).toHaveLength(5000);
  });

  test('what a range gave stays as it is, whatever is read after it', async () => {
    const long = Object.fromEntries(Array.from({ length: 50 }, (_, number) => [`k${number + 10}`, `value ${number}`]));
    await write(long);
    const kept = [];
    for (const entry of opened.log.reader.range({ start: key('k'), end: key('l') })) {
      kept.push(entry);
      opened.log.reader.get(key('k33'));
      for (const inner of opened.log.reader.range({ start: key('k2'), end: key('k3'), reverse: true })) {
        expect(inner.value.length).toBeGreaterThan(0);
        break;
      }
    }
    expect(kept.map((entry) => `${textOf(entry.key)}=${textOf(entry.value)}`)).toEqual(
      Object.entries(long).map(([name, text]) => `${name}=${text}`),
    );
  });

  test.each([
    { name: 'the start is included, the end is not', options: { start: 'b', end: 'd' }, keys: 'bc' },
    { name: 'bounds need not be keys', options: { start: 'a1', end: 'c1' }, keys: 'bc' },
    {
      name: 'reversed, the same entries the other way round',
      options: { start: 'b', end: 'd', reverse: true },
      keys: 'cb',
    },
    { name: 'reversed, with bounds that are no keys', options: { start: 'a1', end: 'c1', reverse: true }, keys: 'cb' },
    { name: 'reversed, to the very end', options: { start: 'd', end: '\xff', reverse: true }, keys: 'ed' },
    { name: 'reversed, from the very beginning', options: { start: '\x00', end: 'b', reverse: true }, keys: 'a' },
    { name: 'a limit', options: { limit: 2 }, keys: 'ab' },
    { name: 'a limit of nothing', options: { limit: 0 }, keys: '' },
    { name: 'a limit, reversed', options: { limit: 2, reverse: true }, keys: 'ed' },
    { name: 'an empty range', options: { start: 'c', end: 'c' }, keys: '' },
    { name: 'an empty range, reversed', options: { start: 'c', end: 'c', reverse: true }, keys: '' },
    { name: 'bounds the wrong way round', options: { start: 'd', end: 'b' }, keys: '' },
    { name: 'bounds the wrong way round, reversed', options: { start: 'd', end: 'b', reverse: true }, keys: '' },
    { name: 'beyond the last', options: { start: 'f', end: 'z' }, keys: '' },
    { name: 'beyond the last, reversed', options: { start: 'f', end: 'z', reverse: true }, keys: '' },
  ])('a range: $name', async ({ options, keys }) => {
    await write({ a: '1', b: '2', c: '3', d: '4', e: '5' });
    expect(
      read(opened.log, options)
        .map((entry) => entry[0])
        .join(''),
    ).toBe(keys);
  });

  test('any ranges over any state equal those of a sorted list', async () => {
    // A log may keep entries of its own between those of the machine.
    const names = fc
      .string({ unit: fc.constantFrom('\x00', 'a', 'b', '\x7f', '\xff'), minLength: 1, maxLength: 3 })
      .filter((name) => !name.startsWith('\xff\xff'));
    const puts = fc.array(fc.tuple(names, fc.boolean()), { maxLength: 25 });
    const queries = fc.array(
      fc.record({ start: names, end: names, reverse: fc.boolean(), limit: fc.option(fc.nat(8), { nil: undefined }) }),
      { minLength: 1, maxLength: 15 },
    );
    const model = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(puts, queries, async (writes, asked) => {
        const entries = Object.fromEntries(
          writes.map(([name, present], index) => [name, present ? `${index}` : undefined]),
        );
        await write(entries);
        for (const [name, text] of Object.entries(entries)) {
          if (text === undefined) model.delete(name);
          else model.set(name, text);
        }
        for (const { start, end, reverse, limit } of asked) {
          const expected = [...model.keys()].filter((name) => name >= start && name < end).sort();
          if (reverse) expected.reverse();
          const options = limit === undefined ? { start, end, reverse } : { start, end, reverse, limit };
          expect(read(opened.log, options)).toEqual(
            expected.slice(0, limit ?? expected.length).map((name) => `${name}=${model.get(name)}`),
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  describe('as an owner has it', () => {
    const open = (epoch: number, { log } = opened) => answerOf((answer) => log.open(epoch, answer));
    const tail = ({ log } = opened) => answerOf((answer) => log.tail(answer));
    const put = (position: number, epoch: number, { log } = opened) =>
      append(log, recordOf(position, epoch, { last: String(position) })).catch(({ reason }: LogRefusal) => reason);
    const last = async () => {
      opened.log.reader.refresh();
      return textOf(opened.log.reader.get(key('last')));
    };

    test('it tells where it stands, also when it is opened again', async () => {
      expect(await open(3)).toEqual({ position: 0, epoch: 3 });
      await put(1, 3);
      await put(2, 3);
      expect(await tail()).toEqual({ position: 2, epoch: 3 });
      opened = await opened.reopen();
      expect(await open(3)).toEqual({ position: 2, epoch: 3 });
      expect(await open(7)).toEqual({ position: 2, epoch: 7 });
      await put(3, 7);
      expect(await tail()).toEqual({ position: 3, epoch: 7 });
    });

    test('it is not opened in an epoch that is over, and what was counted by the clock is', async () => {
      await append(opened.log, recordOf(5, 1_700_000_000_000, {}));
      expect(await open(2)).toEqual({ position: 5, epoch: 2 });
      opened = await opened.reopen();
      expect([await open(1), await open(2)]).toEqual(['fenced', { position: 5, epoch: 2 }]);
    });

    test('who opens it later shuts out who had it', async () => {
      await open(1);
      await put(1, 1);
      const successor = await opened.other();
      expect(await open(2, successor)).toEqual({ position: 1, epoch: 2 });
      await new Promise((resolve) => setImmediate(resolve));
      expect([await put(2, 1), await tail(), await last()]).toEqual(['fenced', 'fenced', '1']);
      expect([await put(2, 2, successor), await tail(successor)]).toEqual([undefined, { position: 2, epoch: 2 }]);
      await successor.log.close();
    });

    test.each<['unknown' | 'full', boolean]>([
      ['unknown', true],
      ['unknown', false],
      ['full', false],
    ])('an append that is refused as %s (applied: %s): the tail tells, and it goes on from there', async (reason, applied) => {
      await open(1);
      await put(1, 1);
      opened.refuseNext(reason, applied);
      expect(await put(2, 1)).toBe(reason);
      const position = applied ? 2 : 1;
      expect([await tail(), await last()]).toEqual([{ position, epoch: 1 }, String(position)]);
      expect([await put(position + 1, 1), await last()]).toEqual([undefined, String(position + 1)]);
    });

    test('its records are read in their order, or refused where they are not kept any more', async () => {
      await open(1);
      for (const position of [1, 2, 3]) await put(position, 1);
      const records = async (after: number) => {
        const found: unknown[] = [];
        try {
          for await (const { position, epoch, values } of opened.log.read(after))
            found.push([position, epoch, textOf(values[0])]);
        } catch (error) {
          found.push((error as LogRefusal).reason);
        }
        return found;
      };
      const kept = opened.keepsRecords;
      expect(await records(3)).toEqual([]);
      expect(await records(1)).toEqual(
        kept
          ? [
              [2, 1, '2'],
              [3, 1, '3'],
            ]
          : ['truncated'],
      );
      await opened.log.truncate(2);
      expect([await records(1), await records(2)]).toEqual([['truncated'], kept ? [[3, 1, '3']] : ['truncated']]);
      expect(await last()).toBe('3');
    });
  });
});

test('a snapshot of the memory store stays on its state until it is refreshed', () => {
  const names = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 2 });
  const changes = fc.dictionary(names, fc.option(fc.string({ maxLength: 2 }), { nil: undefined }));
  fc.assert(
    fc.property(
      changes,
      changes,
      names,
      names,
      fc.boolean(),
      fc.nat(5),
      (first, second, start, end, reverse, limit) => {
        const store = new MemoryStore();
        store.apply(batchOf(first));
        const { reader } = new MemoryLog(store);
        const model = new MemoryStore();
        model.apply(batchOf(first));
        store.apply(batchOf(second));
        const options = { start: key(start), end: key(end), reverse, limit };
        expect([...reader.range(options)]).toEqual([...model.range(options)]);
        expect(reader.get(key(start))).toEqual(model.get(key(start)));
        reader.refresh();
        model.apply(batchOf(second));
        expect([...reader.range(options)]).toEqual([...model.range(options)]);
        expect(reader.get(key(start))).toEqual(model.get(key(start)));
      },
    ),
  );
});
