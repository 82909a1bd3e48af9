/**
 * The lock of the data folder: one holder at a time, whatever earlier processes left behind. Real sockets, real process
 * deaths.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FolderLock, lockFolder } from '../../../src/server/folder/folder-lock.ts';
import { until } from '../../support/until.ts';

let folder: string;
let path: string;
let locks: FolderLock[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-lock-'));
  path = join(folder, 'lock.sock');
  locks = [];
});

afterEach(async () => {
  await Promise.all(locks.map((lock) => lock.release()));
  rmSync(folder, { recursive: true, force: true });
});

async function take(): Promise<boolean> {
  const lock = await lockFolder(path);
  if (lock !== undefined) locks.push(lock);
  return lock !== undefined;
}

/** A process that has the lock and is killed. */
async function leaveSocketBehind(): Promise<void> {
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(await take()).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(path)).toBe(true);
}

test('a second one does not get it, until the first lets go', async () => {
  expect(await take()).toBe(true);
  expect(await take()).toBe(false);
  await locks.pop()!.release();
  expect(await take()).toBe(true);
});

test('what a killed process left behind is no lock', async () => {
  await leaveSocketBehind();
  expect(await take()).toBe(true);
});

test('of many that start at once over what was left behind, one gets it', async () => {
  await leaveSocketBehind();
  const taken = await Promise.all(Array.from({ length: 8 }, take));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test('whoever waits for a guard is told for what', async () => {
  const guard = `${path}.guard`;
  mkdirSync(guard);
  const told: string[] = [];
  const taken = lockFolder(path, undefined, (sentence) => void told.push(sentence));
  await until(() => told.length > 0, { description: 'a sentence' });
  rmdirSync(guard);
  const lock = await taken;
  locks.push(lock!);
  expect(told).toEqual([expect.stringMatching(`^Waiting for ${guard}: .* was killed left it behind`)]);
});

test('while another start has the guard nobody binds: it may have bound and not listen yet', async () => {
  const guard = `${path}.guard`;
  mkdirSync(guard);
  const taken = take();
  const other = createServer().listen(path);
  await once(other, 'listening');
  rmdirSync(guard);
  expect(await taken).toBe(false);
  await new Promise((closed) => other.close(closed));
});

test.each([
  ['long ago', -60_000],
  ['before the clock was set back', 24 * 60 * 60_000],
])('the guard of a start that died %s is dropped', async (_when, milliseconds) => {
  await leaveSocketBehind();
  const guard = `${path}.guard`;
  mkdirSync(guard);
  const before = new Date(Date.now() + milliseconds);
  utimesSync(guard, before, before);
  expect(await take()).toBe(true);
  expect(existsSync(guard)).toBe(false);
});

test('a folder that is not there is an error', async () => {
  await expect(lockFolder(join(folder, 'nowhere', 'lock.sock'))).rejects.toThrow();
});
