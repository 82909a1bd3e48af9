/** The pool of processes: results, and tasks that harm nobody but themselves. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processPoolLimits } from '../../src/runtime/limits.ts';
import { ProcessPool } from '../../src/runtime/process-pool.ts';
import { until } from '../support/until.ts';

const host = new URL('../../src/runtime/process-host.task.ts', import.meta.url);
const tasks = new URL('./fixtures/process-task.ts', import.meta.url);
const longMilliseconds = 60_000;
const memoryBytesMax = 400 * 1_048_576;

let pool: ProcessPool;

beforeEach(() => {
  pool = new ProcessPool({ host, processes: 1, memoryBytesMax });
});

afterEach(() => pool.close());

const run = <Result>(name: string, input?: unknown, deadline = longMilliseconds) =>
  pool.run<Result>(tasks, name, input, deadline);

function isRunning(pid: number): boolean {
  try {
    // A process that has ended and was not reaped yet is one no more.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(ENOENT|ESRCH)$/) });
    return false;
  }
}

test('tasks run one after another in one process, which is another than this', async () => {
  const [first, second] = await Promise.all([run<number>('processOf'), run<number>('processOf')]);
  expect(first).toBe(second);
  expect(first).not.toBe(process.pid);
  expect(pool.load).toBe(0);
});

test('no variable of the server reaches a task', async () => {
  process.env.MURMURATION_SECRET_OF_TEST = 'secret';
  try {
    expect(await run<string[]>('variables')).not.toContain('MURMURATION_SECRET_OF_TEST');
  } finally {
    delete process.env.MURMURATION_SECRET_OF_TEST;
  }
});

test('a failure of a task comes through', async () => {
  await expect(run('refuse', 'not this one')).rejects.toMatchObject({ code: 'validation', text: 'not this one' });
});

describe('a task that', () => {
  test.each([
    ['ends its process', 'endAtOnce', undefined, longMilliseconds, 'crash'],
    ['never ends', 'neverEnds', undefined, 300, 'deadline'],
    ['fills the memory', 'fillMemory', 2 * memoryBytesMax, longMilliseconds, 'memory'],
  ])('%s fails, and the next one runs', async (_, name, input, deadline, reason) => {
    const before = await run<number>('processOf');
    const failed = expect(run(name, input, deadline)).rejects.toMatchObject({ name: 'TaskKilled', reason });
    const after = run<number>('processOf');
    await failed;
    expect(await after).not.toBe(before);
    await until(() => !isRunning(before));
  });
});

test('what a task has started ends with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-pool-'));
  const file = join(folder, 'child');
  try {
    const waiting = run('waitForChild', file).catch((error: unknown) => error);
    let child = 0;
    await until(() => {
      try {
        child = Number(readFileSync(file, 'utf8'));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOENT' });
      }
      return child > 0;
    });
    expect(isRunning(child)).toBe(true);
    pool.close();
    expect(await waiting).toMatchObject({ code: 'overloaded' });
    await until(() => !isRunning(child));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what waits is bounded', async () => {
  const busy = run('neverEnds').catch((error: unknown) => error);
  const waiting = Array.from({ length: processPoolLimits.waitingTasksMax }, () =>
    run('processOf').catch((error: unknown) => error),
  );
  await expect(run('processOf')).rejects.toMatchObject({ code: 'overloaded' });
  pool.close();
  for (const error of await Promise.all([busy, ...waiting])) expect(error).toMatchObject({ code: 'overloaded' });
});

test('a process ends after so many tasks', async () => {
  const first = await run<number>('processOf');
  for (let count = 1; count < processPoolLimits.tasksOfProcessMax; count += 1)
    expect(await run('processOf')).toBe(first);
  expect(await run('processOf')).not.toBe(first);
});
