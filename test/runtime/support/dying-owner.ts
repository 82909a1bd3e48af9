/**
 * A child process of the durability test: a thread dies while its append is being flushed, and another one takes the log
 * over. Prints whether the append was there when the log was opened again, and after the next append. Arguments: folder,
 * and how the thread dies.
 */
import { existsSync, rmSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { LmdbLog, openLmdbReader } from '../../../src/runtime/storage/lmdb-log.ts';
import { until } from '../../support/until.ts';

export type Death = 'throw' | 'exit' | 'terminate';

const mapBytes = 1 << 30;
const oldKey = Buffer.from('alice');
const newKey = Buffer.from('bob');
/** The file by which the slow disk says that a flush has begun. */
const begunFile = process.env.FLUSH_BEGUN!;
const flushing = () => until(() => existsSync(begunFile), { description: 'a flush has begun' });

function append(log: LmdbLog, key: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    log.append({ keys: [key], values: [Buffer.from('one')] }, (error) => (error ? reject(error) : resolve())),
  );
}

async function die({ path, death }: { path: string; death: Death }): Promise<void> {
  const log = new LmdbLog({ path, mapBytes });
  // Opening flushes as well.
  rmSync(begunFile, { force: true });
  append(log, oldKey).then(() => parentPort!.postMessage('appended'));
  parentPort!.postMessage('appending');
  await flushing();
  if (death === 'throw') throw new Error('the thread dies');
  if (death === 'exit') process.exit(1);
}

async function ended(path: string, death: Death): Promise<unknown[]> {
  const said: unknown[] = [];
  const worker = new Worker(new URL(import.meta.url), { workerData: { path, death } });
  worker.on('message', (message) => said.push(message));
  worker.on('error', () => undefined);
  worker.once('message', () => {
    if (death === 'terminate') void flushing().then(() => worker.terminate());
  });
  await new Promise((resolve) => worker.once('exit', resolve));
  return said;
}

async function takeOver(path: string, death: Death): Promise<void> {
  const said = await ended(path, death);
  const log = new LmdbLog({ path, mapBytes });
  const done = append(log, newKey);
  const atOpening = log.reader.get(oldKey) !== undefined;
  await done;
  await log.close();
  const reader = openLmdbReader({ path, mapBytes, readOnly: true });
  const [old, next] = [oldKey, newKey].map((key) => reader.get(key) !== undefined);
  console.log(JSON.stringify({ said, atOpening, old, next }));
  await reader.close();
}

if (isMainThread) await takeOver(process.argv[2]!, process.argv[3] as Death);
else await die(workerData as { path: string; death: Death });
