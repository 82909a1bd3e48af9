/** The interruption of a hung thread, where the thread ends by itself meanwhile. */
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { interruptThread } from '../../../src/runtime/threads/interrupt.ts';
import { until } from '../../support/until.ts';

test('a thread that ends before it could be interrupted is waited for no longer', async () => {
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const blocked = require('node:worker_threads').workerData;
     Atomics.store(blocked, 0, 1);
     Atomics.wait(blocked, 0, 1);`,
    { eval: true, workerData: blocked },
  );
  onTestFinished(() => void worker.terminate());
  await until(() => Atomics.load(blocked, 0) === 1);
  const interrupted = interruptThread(worker);
  await worker.terminate();
  // Its place where it was interrupted in time, otherwise nothing.
  expect(await interrupted).toBeTypeOf('string');
});
