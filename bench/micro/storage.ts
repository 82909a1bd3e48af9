/** Layers, LMDB, rings: the ways to state. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { allocateRings, RingReader } from '../../src/actors/partition/feed-rings.queries.ts';
import { RingWriter } from '../../src/actors/partition/feed-rings-writer.ts';
import { packed } from '../../src/runtime/codec.ts';
import { composeId } from '../../src/runtime/ids.ts';
import { id, keyspace } from '../../src/runtime/storage/keyspace.ts';
import { Layer } from '../../src/runtime/storage/layer.ts';
import { openLmdbReader } from '../../src/runtime/storage/lmdb-log.ts';
import { SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { feedEntries } from '../../src/server/shared.ts';
import { keep, type MicroBench, shuffled } from './micro-bench.ts';

const things = keyspace<[bigint, bigint], { name: string; count: number }>({
  number: 200,
  name: 'bench things',
  owner: 'bench',
  key: [id('owner'), id('thing')],
  value: packed(),
  bound: { by: 'owner', reason: 'gone with the bench' },
});
const ownerId = composeId(1_700_000_000_000, 7, 0);
const entryCount = 10_000;
const ringCount = 1_024;

/** An LMDB environment with `entryCount` records of one owner. */
function prepareLmdb() {
  const path = mkdtempSync(join(tmpdir(), 'murmuration-micro-'));
  const database = open<Uint8Array, Uint8Array>({ path, encoding: 'binary', keyEncoding: 'binary' });
  database.transactionSync(() => {
    for (let index = 0; index < entryCount; index += 1) {
      const value = things.value.encode({ name: `thing ${index}`, count: index });
      void database.put(things.encode([ownerId, BigInt(index)]), Buffer.from(value));
    }
  });
  const storage = openLmdbReader({ path, mapBytes: 64 * 1024 * 1024, readOnly: true });
  const close = () => {
    void Promise.all([storage.close(), database.close()]).then(() => rmSync(path, { recursive: true, force: true }));
  };
  return { reader: new SnapshotReader(storage), close };
}

export const storageBenches: readonly MicroBench[] = [
  {
    name: 'put into a layer and absorb it, each of 20 writes',
    operations: 20,
    prepare() {
      const keys = shuffled(20).map((number) => things.encode([ownerId, BigInt(number)]).toString('latin1'));
      const value = new Uint8Array(200);
      return {
        run() {
          const batch = new Layer();
          const turn = new Layer();
          for (const key of keys) turn.set(key, things.scopeBytes, value);
          batch.absorb(turn);
          keep(batch);
        },
      };
    },
  },
  {
    name: 'get a record from LMDB',
    operations: 100,
    prepare() {
      const { reader, close } = prepareLmdb();
      const order = shuffled(entryCount);
      let next = 0;
      return {
        run() {
          for (let count = 0; count < 100; count += 1) {
            keep(reader.get(things, [ownerId, BigInt(order[next]!)]));
            next = (next + 1) % entryCount;
          }
        },
        close,
      };
    },
  },
  {
    name: 'range over 20 records of LMDB, newest first',
    operations: 1,
    prepare() {
      const { reader, close } = prepareLmdb();
      return {
        run() {
          for (const entry of reader.range(things, [ownerId], { reverse: true, limit: 20 })) keep(entry);
        },
        close,
      };
    },
  },
  {
    name: 'add an id to a feed ring',
    operations: ringCount,
    prepare() {
      const writer = new RingWriter(allocateRings(ringCount, feedEntries));
      for (let ring = 0; ring < ringCount; ring += 1) writer.assign(ring, BigInt(ring + 2), 0);
      const order = shuffled(ringCount);
      let statusId = 1n;
      return {
        run() {
          statusId += 1n;
          for (const ring of order) writer.add(ring, statusId);
        },
      };
    },
  },
  {
    name: 'copy a full feed ring',
    operations: 100,
    prepare() {
      const memory = allocateRings(ringCount, feedEntries);
      const writer = new RingWriter(memory);
      for (let ring = 0; ring < 100; ring += 1) {
        writer.assign(ring, BigInt(ring + 2), 0);
        for (let entry = 1; entry <= feedEntries; entry += 1) writer.add(ring, BigInt(entry));
        writer.markReady(ring, false);
      }
      const reader = new RingReader(memory);
      return {
        run() {
          for (let ring = 0; ring < 100; ring += 1) keep(reader.read(BigInt(ring + 2), 0));
        },
      };
    },
  },
];
