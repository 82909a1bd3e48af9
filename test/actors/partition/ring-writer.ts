/**
 * A worker thread that changes rings in every way, as fast as it can, until it is told to stop: the same rings for one
 * account after another. The ids reveal their account.
 */
import { workerData } from 'node:worker_threads';
import type { RingMemory } from '../../../src/actors/partition/feed-rings.queries.ts';
import { RingWriter } from '../../../src/actors/partition/feed-rings-writer.ts';
import { SeededRandom } from '../../sim/random.ts';

export interface RingWriterStart {
  readonly memory: RingMemory;
  readonly accounts: number;
  readonly seed: number;
  /** First word: 1 tells the writer to stop. Second: 1 once it writes, 2 when it has stopped. */
  readonly signals: SharedArrayBuffer;
}

const idsPerAccount = 1n << 20n;
const firstAccount = 1_000n;

export function accountOf(number: number): bigint {
  return firstAccount + BigInt(number);
}

export function idOf(account: bigint, number: number): bigint {
  return account * idsPerAccount + BigInt(number);
}

export function accountOfId(id: bigint): bigint {
  return id / idsPerAccount;
}

/** One round of changes of one ring, which belongs to another account afterwards. */
function change(writer: RingWriter, ring: number, account: bigint, random: SeededRandom): void {
  if (writer.feedIdOf(ring) !== 0n) writer.release(ring);
  if (writer.find(account) >= 0) writer.release(writer.find(account));
  writer.assign(ring, account, 0);
  writer.markReady(ring, random.chance(0.5));
  let newest = random.below(1_000);
  for (let step = 0; step < 200; step += 1) {
    if (random.chance(0.7)) {
      newest += 1 + random.below(3);
      writer.add(ring, idOf(account, newest));
    } else if (random.chance(0.5)) writer.add(ring, idOf(account, random.below(newest + 1)));
    else writer.remove(ring, idOf(account, newest - random.below(20)));
  }
  writer.empty(ring);
  writer.add(ring, idOf(account, newest));
  writer.markReady(ring, true);
}

function run({ memory, accounts, seed, signals }: RingWriterStart): void {
  const words = new Int32Array(signals);
  const writer = new RingWriter(memory);
  const random = new SeededRandom(seed);
  Atomics.store(words, 1, 1);
  while (Atomics.load(words, 0) === 0)
    change(writer, random.below(memory.rings), accountOf(random.below(accounts)), random);
  Atomics.store(words, 1, 2);
}

// Read by the test too, for the shape of the ids.
if (workerData !== null && typeof workerData === 'object' && 'memory' in workerData) run(workerData as RingWriterStart);
