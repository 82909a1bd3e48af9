import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { isAtRest, processState } from './process-state.ts';

test.each<[string, () => () => void]>([
  [
    'a variable of the environment',
    () => {
      process.env.MURMURATION_LEFT = '1';
      return () => delete process.env.MURMURATION_LEFT;
    },
  ],
  [
    'a global',
    () => {
      Object.assign(globalThis, { left: 1 });
      return () => Reflect.deleteProperty(globalThis, 'left');
    },
  ],
  [
    'a listener of the process',
    () => {
      const listener = () => undefined;
      process.on('SIGUSR2', listener);
      return () => process.off('SIGUSR2', listener);
    },
  ],
  [
    'an exit code',
    () => {
      process.exitCode = 3;
      return () => {
        process.exitCode = undefined;
      };
    },
  ],
])('%s shows, until it is taken back', (_what, leave) => {
  const before = processState();
  const takeBack = leave();
  const after = processState();
  takeBack();
  expect(after).not.toEqual(before);
  expect(processState()).toEqual(before);
});

test.each<[string, () => Promise<() => Promise<unknown>>]>([
  [
    'a server',
    async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return () => once(server.close(), 'close');
    },
  ],
  [
    'a child process',
    async () => {
      const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
      await once(child, 'spawn');
      return () => {
        child.stdin.end();
        return once(child, 'close');
      };
    },
  ],
])('%s that runs is not at rest', async (_what, begin) => {
  const before = processState();
  const end = await begin();
  const isResting = isAtRest(before, processState());
  await end();
  expect(isResting).toBe(false);
});
