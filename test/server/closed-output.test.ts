/** Output that nobody reads any more, in a process of its own: streams of this one belong to all test files in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const program = join(import.meta.dirname, 'fixtures/closed-output-process.ts');

test('a process whose output is closed goes on, and knows', async () => {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child, 'message');
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.destroy();
    await once(stream, 'close');
  }
  child.send('write');
  expect(await Promise.race([once(child, 'message'), ended])).toEqual(['noticed', undefined]);
  expect(await ended).toEqual([0, null]);
});
