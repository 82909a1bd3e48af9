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
  // Its end may be heard of before its last message; the end of the channel may not.
  const said: unknown[] = [];
  child.on('message', (word) => said.push(word));
  const over = once(child, 'disconnect');
  child.send('write');
  await over;
  expect(said).toEqual(['noticed']);
  expect(await ended).toEqual([0, null]);
});
