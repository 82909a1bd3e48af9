/**
 * `murmuration backup` and `murmuration restore` are killed at any moment: earlier backups stay as they are, the next backup
 * is whole and removes what was left, and the next restore makes a folder with everything, once.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identity, meta } from '../../../src/runtime/storage/machine.ts';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { type DataFolder, findDataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { openPartition } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { SeededRandom } from '../../sim/random.ts';
import { onlySeed } from '../../sim/seeds.ts';
import { ended, kill, passTime, startToKill } from '../../support/killed-command.ts';

const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2/folder.tar.gz');
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const rounds = isLong ? 20 : 1;
const partitions = 3;

const seed = onlySeed ?? (isLong ? randomInt(2 ** 31) : 1);
const random = new SeededRandom(seed);
let parent: string;
let data: string;
let entries: string[];

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-backup-kills-'));
  execFileSync('tar', ['-xzf', fixture, '-C', parent]);
  data = join(parent, 'data');
  await prepareFolder(openDataFolder(data), { partitions, origin: undefined });
  entries = await contents(openDataFolder(data));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const anew: ReadonlySet<number> = new Set([meta.number, identity.number]);

/** All but what a restored folder has of its own. */
async function contents(folder: DataFolder): Promise<string[]> {
  const found: string[] = [];
  for (let number = 0; number < partitions; number += 1) {
    const log = openPartition(folder, number);
    for (const { key, value } of log.reader.range({ start: Buffer.alloc(1), end: Buffer.alloc(1, 0xff) }))
      if (!anew.has(key[2]!)) found.push(`${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`);
    await log.close();
  }
  return found;
}

async function run(...words: string[]): Promise<void> {
  expect([words, await ended(startToKill(data, words))]).toEqual([words, [0, null]]);
}

const backupsIn = (place: string) => (existsSync(join(place, 'backups')) ? readdirSync(join(place, 'backups')) : []);

async function assertRestored(into: string): Promise<void> {
  const folder = findDataFolder(into);
  expect(await checkFolder(folder)).toMatchObject({ sound: true });
  expect(await contents(folder)).toEqual(entries);
}

test(`both, ${rounds} times (seed ${seed})`, async () => {
  const place = join(parent, 'place');
  const began = performance.now();
  await run('backup', place);
  const runMilliseconds = performance.now() - began;
  for (let round = 0; round < rounds; round += 1) {
    const before = backupsIn(place);
    const backup = startToKill(data, ['backup', place]);
    await passTime(random, backup, { runMilliseconds, hasBegun: () => backupsIn(place).length > before.length });
    await kill(backup);
    expect(backupsIn(place)).toEqual(expect.arrayContaining(before));
    await run('backup', place, '--keep', '2');
    expect(backupsIn(place).map((name) => existsSync(join(place, 'backups', name, 'backup.json')))).toEqual([
      true,
      true,
    ]);

    const into = join(parent, `into-${round}`);
    // The newest, or the one before it, which the killed one has not touched.
    const named = random.chance(0.5) ? [] : ['--backup', backupsIn(place).sort()[0]!];
    const restore = startToKill(data, ['restore', place, into, ...named]);
    await passTime(random, restore, { runMilliseconds, hasBegun: () => existsSync(join(into, 'partition-0')) });
    await kill(restore);
    const isWhole = existsSync(join(into, 'manifest.json')) && !existsSync(join(into, 'restore.unfinished'));
    if (!isWhole) {
      expect(() => findDataFolder(into)).toThrow();
      await run('restore', place, into, ...named);
    }
    await assertRestored(into);
    rmSync(into, { recursive: true, force: true });
  }
});
