/**
 * Stop requests, each to a process of its own, because signals and channels of this process are shared by test files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const program = join(import.meta.dirname, 'fixtures/stop-request-process.ts');

function start(situation: string): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const child = spawn(process.execPath, [program, situation], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = Promise.all([once(child, 'exit'), once(child.stdout!, 'close')]);
  return { child, ended: ended.then(([[code]]) => ({ code, output })) };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s just before the listeners are exchanged is heard', async (signal) => {
  expect(await start(signal).ended).toEqual({ code: 0, output: 'listening\nasked to stop\n' });
});

test('the end of the channel to whoever started it is a request', async () => {
  const { child, ended } = start('busy');
  await once(child.stdout!, 'data');
  child.disconnect();
  expect(await ended).toEqual({ code: 0, output: 'listening\nasked to stop\n' });
});

test('listening does not keep a process alive', async () => {
  expect(await start('idle').ended).toEqual({ code: 0, output: 'listening\n' });
});
