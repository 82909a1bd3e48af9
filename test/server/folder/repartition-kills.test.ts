/**
 * `murmuration repartition` is killed at any moment: the folder is the old one or the new one, complete and undamaged.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { readManifest } from '../../../src/server/folder/manifest.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { SeededRandom } from '../../sim/random.ts';
import { onlySeed } from '../../sim/seeds.ts';
import { until } from '../../support/until.ts';

const startFile = join(import.meta.dirname, '../../../src/start.mjs');
const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2/folder.tar.gz');
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const rounds = 24;
const generationName = /-generation-\d+$/;

const seed = onlySeed ?? randomInt(2 ** 31);
const random = new SeededRandom(seed);
let parent: string;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-repartition-kills-'));
  execFileSync('tar', ['-xzf', fixture, '-C', parent]);
  await prepareFolder(openDataFolder(join(parent, 'data')), { partitions: 3, origin: undefined });
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const partitionsIn = (path: string) => readdirSync(path).filter((name) => name.startsWith('partition-'));

/** The command, in a group of processes of its own. */
function repartition(path: string, partitions: number): ChildProcess {
  const env = { ...process.env, MURMURATION_DATA_DIR: path };
  return spawn(process.execPath, [startFile, 'repartition', String(partitions)], {
    detached: true,
    stdio: 'ignore',
    env,
  });
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch (error) {
    // It came to its end before.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await ended;
}

/** At any moment of a whole run, or soon after the first new partition is there, which is a small part of it. */
async function waitForMoment(path: string, child: ChildProcess, runMilliseconds: number): Promise<void> {
  const pass = async (milliseconds: number) => {
    const moment = performance.now() + milliseconds;
    await until(() => performance.now() >= moment, {
      description: 'a moment to come',
    });
  };
  if (random.chance(0.5)) {
    await pass(random.below(runMilliseconds));
    return;
  }
  const isMoving = () => child.exitCode !== null || partitionsIn(path).some((name) => generationName.test(name));
  await until(isMoving, { description: 'the move to begin' });
  await pass(random.below(100));
}

const reason = isLong ? ` (seed ${seed})` : ' (skipped: it takes minutes; npm run test:long runs it)';
// because rounds of processes take minutes
test.skipIf(!isLong)(`whenever it is killed, and then it can be done${reason}`, async () => {
  const path = join(parent, 'copy');
  const copy = () => {
    rmSync(path, { recursive: true, force: true });
    cpSync(join(parent, 'data'), path, { recursive: true });
  };
  copy();
  const began = performance.now();
  expect(await once(repartition(path, 5), 'exit')).toEqual([0, null]);
  const runMilliseconds = performance.now() - began;
  for (let round = 0; round < rounds; round += 1) {
    copy();
    const child = repartition(path, 5);
    await waitForMoment(path, child, runMilliseconds);
    await kill(child);
    const folder = openDataFolder(path);
    const { partitions } = readManifest(folder)!;
    expect([3, 5]).toContain(partitions);
    expect(await checkFolder(folder)).toMatchObject({ sound: true });
    await prepareFolder(folder, { partitions, origin: undefined });
    expect(partitionsIn(path)).toHaveLength(partitions);
    expect(existsSync(join(path, partitions === 5 ? 'partition-4-generation-1' : 'partition-2'))).toBe(true);
    if (partitions === 5) continue;
    expect(await once(repartition(path, 5), 'exit')).toEqual([0, null]);
    expect(await checkFolder(openDataFolder(path))).toMatchObject({ sound: true });
  }
});
