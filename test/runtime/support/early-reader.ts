/**
 * A child process of the durability test. Appends one batch and reports when another thread, polling through its own
 * handle, first saw it, in nanoseconds of the machine's clock. Arguments: folder, `overlapping` or `durable`.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { open } from 'lmdb';
import { LmdbLog, openLmdbReader } from '../../../src/runtime/storage/lmdb-log.ts';

const mapBytes = 1 << 30;
const key = Buffer.from('alice');

interface Shared {
  path: string;
  /** When the reader was ready and when it saw the batch, in nanoseconds of the machine's clock; 0 until then. */
  times: BigInt64Array;
}

function watch({ path, times }: Shared): void {
  const reader = openLmdbReader({ path, mapBytes, readOnly: true });
  times[0] = process.hrtime.bigint();
  do reader.refresh();
  while (reader.get(key) === undefined);
  times[1] = process.hrtime.bigint();
}

/** Appends in lmdb-js's default mode, in which readers see a batch before it is flushed. */
async function appendOverlapping(path: string): Promise<void> {
  const database = open<Uint8Array, Uint8Array>({ path, encoding: 'binary', keyEncoding: 'binary', mapSize: mapBytes });
  await started(path);
  await database.put(key, Buffer.from('one'));
  await database.flushed;
}

async function appendDurable(path: string): Promise<void> {
  const log = new LmdbLog({ path, mapBytes });
  await started(path);
  await new Promise<void>((resolve, reject) =>
    log.append({ keys: [key], values: [Buffer.from('one')] }, (error) => (error ? reject(error) : resolve())),
  );
}

const times = new BigInt64Array(new SharedArrayBuffer(16));
let watcher: Promise<void> = Promise.resolve();

async function started(path: string): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { path, times } satisfies Shared });
  watcher = new Promise((resolve, reject) => {
    worker.once('exit', () => resolve());
    worker.once('error', reject);
  });
  while (Atomics.load(times, 0) === 0n) await new Promise((resolve) => setTimeout(resolve, 1));
}

if (isMainThread) {
  const [, , path, mode] = process.argv;
  await (mode === 'overlapping' ? appendOverlapping(path!) : appendDurable(path!));
  await watcher;
  console.log(JSON.stringify({ seenAt: String(times[1]) }));
  process.exit(0);
} else watch(workerData as Shared);
