/** A real thread changes rings while this one reads them: no copy is ever torn, and no read waits. */
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { allocateRings, RingReader } from '../../../src/actors/partition/feed-rings.queries.ts';
import { until } from '../../support/until.ts';
import { accountOf, accountOfId, type RingWriterStart } from './ring-writer.ts';

const rings = 4;
const accounts = 6;
const readsMin = 150_000;
const copiesMin = 10_000;
/** A reader that never gets a copy ends all the same. */
const readsMax = 30_000_000;

/** What is wrong with a copy; undefined when nothing is. */
function faultOf(ids: BigUint64Array, account: bigint, entries: number): string | undefined {
  if (ids.length > entries) return `${ids.length} ids in a ring of ${entries}`;
  for (let index = 0; index < ids.length; index += 1) {
    if (accountOfId(ids[index]!) !== account) return `the id ${ids[index]} in the ring of ${account}`;
    if (index > 0 && ids[index]! <= ids[index - 1]!) return `${ids[index - 1]} before ${ids[index]}`;
  }
  return undefined;
}

test.each([1, 8, 60])('copies of rings of %i entries are of one account and one moment', async (entries) => {
  const memory = allocateRings(rings, entries);
  const signals = new SharedArrayBuffer(8);
  const words = new Int32Array(signals);
  const start: RingWriterStart = { memory, accounts, seed: entries, signals };
  const worker = new Worker(new URL('./ring-writer.ts', import.meta.url), { workerData: start });
  const ended = new Promise<number>((resolve, reject) => {
    worker.once('exit', resolve);
    worker.once('error', reject);
  });
  await until(() => Atomics.load(words, 1) === 1);

  const reader = new RingReader(memory);
  let copies = 0;
  let longest = 0;
  const faults = new Set<string>();
  // A writer that the machine gives little time fills its rings late.
  const isEnough = (read: number) => read >= readsMin && copies >= copiesMin && longest === entries;
  for (let read = 0; read < readsMax && !isEnough(read); read += 1) {
    const account = accountOf(read % accounts);
    const copy = reader.read(account, 0);
    if (copy === undefined) continue;
    copies += 1;
    longest = Math.max(longest, copy.ids.length);
    const fault = faultOf(copy.ids, account, entries);
    if (fault !== undefined) faults.add(fault);
  }
  expect(Atomics.load(words, 1), 'the writer wrote all the time').toBe(1);
  Atomics.store(words, 0, 1);
  expect(await ended).toBe(0);
  expect([...faults]).toEqual([]);
  expect(copies).toBeGreaterThanOrEqual(copiesMin);
  expect(longest).toBe(entries);
});
