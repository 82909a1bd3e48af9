/** A process that finds the data folder in use waits for a stopping server as long as that may take. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { type DataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { type FolderLock, lockFolder } from '../../../src/server/folder/folder-lock.ts';
import { isRunningServer, lockOrReach } from '../../../src/server/folder/lock-or-reach.ts';
import { until } from '../../support/until.ts';

let folder: DataFolder;
let holder: FolderLock;

beforeEach(async () => {
  folder = openDataFolder(mkdtempSync(join(tmpdir(), 'murmuration-lock-or-reach-')));
  holder = (await lockFolder(folder.lockSocket))!;
});

afterEach(() => {
  rmSync(folder.path, { recursive: true, force: true });
});

/** So much time passes while somebody waits, who notices. */
async function pass(milliseconds: number): Promise<void> {
  const { monotonic } = systemClock;
  let ahead = 0;
  const looks = vi.spyOn(systemClock, 'monotonic').mockImplementation(() => monotonic() + ahead);
  const looked = (times: number) =>
    until(() => looks.mock.calls.length >= times, { description: 'a look at the clock' });
  await looked(2);
  ahead = milliseconds;
  looks.mockClear();
  await looked(1);
  looks.mockRestore();
}

test('a server whose gateways and then its owners stop at the last moment is waited for', async () => {
  const waiting = Promise.allSettled([lockOrReach(folder)]);
  await pass(2 * threadLimits.stopDeadlineMilliseconds);
  await holder.release();
  const [outcome] = await waiting;
  expect(outcome).toMatchObject({ status: 'fulfilled', value: { release: expect.any(Function) } });
  if (outcome.status === 'fulfilled' && !isRunningServer(outcome.value)) await outcome.value.release();
});

test('whoever neither answers nor lets go is not waited for longer', async () => {
  const refused = expect(lockOrReach(folder)).rejects.toThrow('is in use by a server that is starting or stopping');
  await pass(4 * threadLimits.stopDeadlineMilliseconds);
  await refused;
  await holder.release();
});

test('a folder that cannot be written is refused with a sentence', async () => {
  await holder.release();
  // As on a file system that is read-only, which only an administrator could make.
  rmSync(folder.path, { recursive: true });
  await expect(lockOrReach(folder)).rejects.toThrow(`The data folder ${folder.path} cannot be used: ENOENT`);
});

test('a request to stop ends the wait, with its own reason', async () => {
  const stop = new AbortController();
  const waiting = expect(lockOrReach(folder, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  stop.abort();
  await waiting;
  await holder.release();
});
