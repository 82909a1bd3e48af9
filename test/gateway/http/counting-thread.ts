/** A thread that counts the same key as the thread that started it, at the same time. */
import { parentPort, workerData } from 'node:worker_threads';
import { type RateLimitMemory, RateLimits } from '../../../src/gateway/http/rate-limits.ts';

const { memory, now } = workerData as { memory: RateLimitMemory; now: number };
const limits = new RateLimits(memory, () => now);

parentPort!.once('message', () => {
  for (let count = 0; count < 20_000; count += 1) limits.take('api', 109_000_000_000_000_001n);
});
parentPort!.postMessage('ready');
