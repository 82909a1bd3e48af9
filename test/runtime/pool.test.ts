/** The CPU pool with real threads: results and refusals. */
import { threadId } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Pool, ThreadPool } from '../../src/runtime/pool.ts';

const task = new URL('./fixtures/pool-task.ts', import.meta.url);
const tasksMax = 32;
const longMilliseconds = 20_000;
const overloaded = { code: 'overloaded' };

let pool: Pool;
let released: Int32Array;

beforeEach(() => {
  pool = new ThreadPool({ threads: 1, tasksMax, idleMilliseconds: 30_000 });
  released = new Int32Array(new SharedArrayBuffer(4));
});

afterEach(async () => {
  Atomics.store(released, 0, 1);
  Atomics.notify(released, 0);
  await pool.close();
});

test('a task runs on another thread and answers', async () => {
  expect(await pool.run<number>(task, 'threadOf', undefined, longMilliseconds)).not.toBe(threadId);
  const doubled = [1, 2, 3].map((number) => pool.run<number>(task, 'double', number, longMilliseconds));
  expect(await Promise.all(doubled)).toEqual([2, 4, 6]);
});

test('what a task throws comes through', async () => {
  await expect(pool.run(task, 'refuse', 'not this one', longMilliseconds)).rejects.toThrow('not this one');
});

test('a task that takes too long is given up, and the next one runs', async () => {
  await expect(pool.run(task, 'waitFor', released, 50)).rejects.toMatchObject(overloaded);
  expect(await pool.run<number>(task, 'double', 4, longMilliseconds)).toBe(8);
});

test('what waits is bounded, and there is room again afterwards', async () => {
  const busy = pool.run(task, 'waitFor', released, longMilliseconds);
  const others = Array.from({ length: tasksMax - 1 }, (_, number) =>
    pool.run<number>(task, 'double', number, longMilliseconds),
  );
  await expect(pool.run(task, 'double', 1, longMilliseconds)).rejects.toMatchObject(overloaded);
  Atomics.store(released, 0, 1);
  Atomics.notify(released, 0);
  await busy;
  expect(await Promise.all(others)).toEqual(others.map((_, number) => number * 2));
  expect(await pool.run<number>(task, 'double', 5, longMilliseconds)).toBe(10);
});

test('a pool that nobody used closes', async () => {
  await expect(pool.close()).resolves.toBeUndefined();
});
