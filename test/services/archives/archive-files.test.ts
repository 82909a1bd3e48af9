/** Files of archives grow slice by slice, and a slice that runs again writes the same. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ArchiveFiles, textFile } from '../../../src/services/archives/archive-files.ts';

function files() {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-archive-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return new ArchiveFiles(join(folder, 'one'), 0, 0);
}

/** By another program. */
const listed = (archive: string) => execFileSync('tar', ['-tzf', archive]).toString().trim().split('\n').sort();

test('what a killed slice has written is cut off, and the same is written again', async () => {
  const archive = files();
  expect(await archive.resume(0, 0)).toBe(true);
  const first = await archive.addToArchive([
    textFile('one.json', 'one'),
    { ...textFile('photo', 'x'), isCompressed: true },
  ]);
  await archive.addToDocument('[1');
  const second = await archive.addToArchive([textFile('two.json', 'two'.repeat(1_000))]);
  const whole = readFileSync(archive.archive);
  expect(await archive.resume(first, 2)).toBe(true);
  expect(await archive.addToArchive([textFile('two.json', 'two'.repeat(1_000))])).toBe(second);
  expect(readFileSync(archive.archive).equals(whole)).toBe(true);
  expect(await archive.addToDocument(',2]')).toBe(5);
  await archive.addToArchive([await archive.documentFile('list.json')], true);
  expect(listed(archive.archive)).toEqual(['list.json', 'one.json', 'photo', 'two.json']);
  expect(execFileSync('tar', ['-xzOf', archive.archive, 'list.json']).toString()).toBe('[1,2]');
});

test('where less is there than was written, nothing is gone on with', async () => {
  const archive = files();
  await archive.resume(0, 0);
  const bytes = await archive.addToArchive([textFile('one.json', 'one')]);
  truncateSync(archive.archive, bytes - 1);
  expect(await archive.resume(bytes, 0)).toBe(false);
});

test('a file that became shorter than it was said to be fails its slice', async () => {
  const archive = files();
  await archive.resume(0, 0);
  await expect(archive.addToArchive([{ ...textFile('one', 'one'), bytes: 4 }])).rejects.toThrow('has 3 bytes');
});
