/**
 * A child process of the durability test: the log outgrows the address space that it reserved, while another thread reads
 * all of it again and again. Prints how many entries the reader saw in the end, and how many of them were wrong. Argument:
 * folder.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { LmdbLog, openLmdbReader } from '../../../src/runtime/storage/lmdb-log.ts';

const mapBytes = 1 << 20;
const valueBytes = 128 * 1024;
const entries = 60;

/** Ready, and done: both sides wait for the other's. */
type Words = Int32Array<SharedArrayBuffer>;

const keyOf = (number: number): Buffer => Buffer.from(`k${String(number).padStart(3, '0')}`);

function isWhole(key: Uint8Array, value: Uint8Array): boolean {
  const number = Number(Buffer.from(key).toString().slice(1));
  return value.length === valueBytes && value[0] === number && value[valueBytes - 1] === number;
}

async function read({ path, words }: { path: string; words: Words }): Promise<void> {
  const reader = openLmdbReader({ path, mapBytes, readOnly: true });
  let wrong = 0;
  let seen = 0;
  Atomics.store(words, 0, 1);
  Atomics.notify(words, 0);
  for (let isLast = false; !isLast; ) {
    isLast = Atomics.load(words, 1) === 1;
    reader.refresh();
    seen = 0;
    for (const { key, value } of reader.range({ start: Buffer.from('k'), end: Buffer.from('l') })) {
      seen += 1;
      if (!isWhole(key, value)) wrong += 1;
    }
  }
  parentPort!.postMessage({ seen, wrong });
  await reader.close();
}

async function write(path: string): Promise<void> {
  const words = new Int32Array(new SharedArrayBuffer(8));
  const log = new LmdbLog({ path, mapBytes });
  const worker = new Worker(new URL(import.meta.url), { workerData: { path, words } });
  const result = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await Atomics.waitAsync(words, 0, 0).value;
  for (let number = 0; number < entries; number += 1) {
    const batch = { keys: [keyOf(number)], values: [Buffer.alloc(valueBytes, number)] };
    await new Promise<void>((resolve, reject) => log.append(batch, (error) => (error ? reject(error) : resolve())));
  }
  Atomics.store(words, 1, 1);
  console.log(JSON.stringify(await result));
  await log.close();
}

if (isMainThread) await write(process.argv[2]!);
else await read(workerData as { path: string; words: Words });
