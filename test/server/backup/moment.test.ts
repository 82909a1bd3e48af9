/** One moment of all partitions: taken again where they contradict each other. */
import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/runtime/codec.ts';
import { frameRecord, noDigest } from '../../../src/runtime/partition/frame-record.ts';
import type { Keyspace } from '../../../src/runtime/storage/keyspace.ts';
import type { HeldSnapshot } from '../../../src/runtime/storage/lmdb-snapshot.ts';
import type { StorageReader } from '../../../src/runtime/storage/log.ts';
import { cursors, identity, outbox } from '../../../src/runtime/storage/machine.ts';
import { holdTogether } from '../../../src/server/backup/moment.ts';
import { folderFormat } from '../../../src/server/folder/manifest.ts';
import { MemoryStore } from '../../support/memory-log.ts';

const folder = { path: '/data', adminSocket: '', lockSocket: '', made: [], generation: 0 };

function store(number: number, frames: readonly number[], taken: number): MemoryStore {
  const entries: [Uint8Array, Uint8Array][] = [];
  const add = <Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, key: Key, value: Value) =>
    entries.push([space.encode(key), space.value.encode(value)]);
  add(identity, [0], { folder: 'f', number, partitions: 2, epoch: 1, format: folderFormat });
  for (const frame of frames)
    add(outbox, [1 - number, frame], frameRecord({ epoch: 1, previous: noDigest }, 0, [pack(frame)]));
  if (taken > 0) add(cursors, [1 - number], { sequence: taken, epoch: 1 });
  const made = new MemoryStore();
  made.apply({ keys: entries.map(([key]) => key), values: entries.map(([, value]) => value) });
  return made;
}

/** Shows the next of these states with each `refresh`, and the last for ever. */
function moving(...states: readonly MemoryStore[]): HeldSnapshot & { readonly refreshed: () => number } {
  let count = 0;
  const now = () => states[Math.min(count, states.length) - 1]!;
  const reader: StorageReader = {
    failures: 0,
    get: (key) => now().get(key),
    range: (options) => now().range(options),
    refresh: () => {
      count += 1;
    },
  };
  return { reader, refreshed: () => count, release: () => undefined, close: () => Promise.resolve() };
}

describe('snapshots of two partitions', () => {
  test('of one moment are taken once, also while a frame is under way', async () => {
    const [sender, receiver] = [moving(store(0, [1, 2], 0)), moving(store(1, [], 1))];
    await holdTogether(folder, [sender, receiver]);
    expect(sender.refreshed()).toBe(1);
  });

  test('are taken again where one has taken what the other has not sent', async () => {
    const [sender, receiver] = [moving(store(0, [], 0), store(0, [1], 0)), moving(store(1, [], 1))];
    await holdTogether(folder, [sender, receiver]);
    expect([sender.refreshed(), receiver.refreshed()]).toEqual([2, 2]);
  });

  test('are taken again where one has dropped what the other has not taken', async () => {
    const [sender, receiver] = [moving(store(0, [4, 5], 0)), moving(store(1, [], 1), store(1, [], 4))];
    await holdTogether(folder, [sender, receiver]);
    expect(receiver.refreshed()).toBe(2);
  });

  test('that contradict each other every time are a damaged folder', async () => {
    const sides = [moving(store(0, [], 0)), moving(store(1, [], 1))];
    await expect(holdTogether(folder, sides)).rejects.toThrow(
      /is damaged: partition-0\/data\.mdb is older than partition-1\/data\.mdb\./,
    );
  });
});
