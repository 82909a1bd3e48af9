/**
 * `murmuration repartition` and `murmuration compact` are killed at any moment: the folder is the old one or the new
 * one, complete and undamaged.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { type FolderManifest, readManifest } from '../../../src/server/folder/manifest.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { SeededRandom } from '../../sim/random.ts';
import { onlySeed } from '../../sim/seeds.ts';
import { ended, kill, passTime, startToKill } from '../../support/killed-command.ts';

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

const reason = isLong ? ` (seed ${seed})` : ' (skipped: it takes minutes; npm run test:long runs it)';
// because rounds of processes take minutes
test.skipIf(!isLong).each([
  { words: ['repartition', '5'], wanted: 5, last: 'partition-4-generation-1' },
  { words: ['compact'], wanted: 3, last: 'partition-2-generation-1' },
])(`whenever $words is killed, and then it can be done${reason}`, async ({ words, wanted, last }) => {
  const path = join(parent, 'copy');
  const copy = () => {
    rmSync(path, { recursive: true, force: true });
    cpSync(join(parent, 'data'), path, { recursive: true });
  };
  copy();
  const began = performance.now();
  expect(await ended(startToKill(path, words))).toEqual([0, null]);
  const runMilliseconds = performance.now() - began;
  for (let round = 0; round < rounds; round += 1) {
    copy();
    const child = startToKill(path, words);
    const hasBegun = () => partitionsIn(path).some((name) => generationName.test(name));
    await passTime(random, child, { runMilliseconds, hasBegun });
    await kill(child);
    const folder = openDataFolder(path);
    const { partitions } = readManifest(folder)!;
    const { generation } = readManifest(folder) as FolderManifest;
    expect(partitions).toBe(generation === undefined ? 3 : wanted);
    expect(await checkFolder(folder)).toMatchObject({ sound: true });
    await prepareFolder(folder, { partitions, origin: undefined });
    expect(partitionsIn(path)).toHaveLength(partitions);
    expect(existsSync(join(path, generation === undefined ? 'partition-2' : last))).toBe(true);
    if (generation !== undefined) continue;
    expect(await ended(startToKill(path, words))).toEqual([0, null]);
    expect(await checkFolder(openDataFolder(path))).toMatchObject({ sound: true });
  }
});
