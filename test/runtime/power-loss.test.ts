/**
 * A power loss under write load: acknowledged writes had been flushed, and whatever else has reached the disk does no
 * harm.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SeededRandom } from '../sim/random.ts';
import { builtEntry } from '../support/built.ts';
import { CrashRounds, crashChild } from './support/crash-rounds.ts';
import { losePower, watched } from './support/power-loss.ts';
import { compileLibrary, whyNoPreloading } from './support/preloading.ts';

const child = builtEntry(crashChild);
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const obstacle = whyNoPreloading();
if (obstacle !== undefined) console.warn(`The tests without power are passed over: ${obstacle}.`);

// because what was flushed is watched by a preloaded library, which needs Linux and a C compiler
describe.skipIf(obstacle !== undefined)('when the power goes', () => {
  const random = new SeededRandom(11);
  let folder: string;
  let library: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'murmuration-power-'));
    library = compileLibrary('power-loss', folder);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  async function newDisk(name: string): Promise<string> {
    const disk = join(folder, name);
    await mkdir(disk);
    return disk;
  }

  test.each([
    { kept: 'nothing', survival: 0, rounds: isLong ? 40 : 1 },
    { kept: 'half of it, in no order,', survival: 0.5, rounds: isLong ? 40 : 2 },
  ])('what was acknowledged is there when of the rest $kept has come to the disk', async ({ survival, rounds }) => {
    const disk = await newDisk(`flushed-${survival}`);
    const crashes = new CrashRounds(child, disk, random);
    for (let round = 0; round < rounds; round += 1) {
      expect(await crashes.crash(watched(library, disk))).toBeGreaterThan(0);
      losePower(disk, random, survival);
      crashes.checkFiles();
      await crashes.checkBooks();
    }
  });

  test('and it would be noticed when the disk does not flush', async () => {
    const disk = await newDisk('unflushed');
    const crashes = new CrashRounds(child, disk, random);
    expect(await crashes.crash({ ...watched(library, disk), DISK_IGNORES_FLUSHES: '1' })).toBeGreaterThan(0);
    expect(losePower(disk, random, 0)).toBeGreaterThan(0);
    await expect(crashes.checkBooks()).rejects.toThrow('acknowledgedWrites');
  });
});
