/** The data folder, and the errors for an unusable one. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dropUnused, findDataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';

let parent: string;
let path: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-folder-'));
  path = join(parent, 'data');
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('a new folder is made for its owner alone, with the folders above it', () => {
  path = join(parent, 'above', 'data');
  const folder = openDataFolder(path);
  expect(folder.path).toBe(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('what was made and stayed empty is removed again, with the folders above it', () => {
  const folder = openDataFolder(join(parent, 'above', 'data'));
  dropUnused(folder);
  expect(readdirSync(parent)).toEqual([]);
});

test('a folder that existed before, or was used, stays', () => {
  mkdirSync(path);
  dropUnused(openDataFolder(path));
  expect(readdirSync(parent)).toEqual(['data']);
  const used = openDataFolder(join(path, 'above', 'used'));
  writeFileSync(join(used.path, 'manifest.json'), '');
  dropUnused(used);
  expect(existsSync(used.path)).toBe(true);
});

test.each(['manifest.json', 'lock.sock', 'partition-0'])('a folder with %s is found as it is', (name) => {
  mkdirSync(path, { mode: 0o755 });
  writeFileSync(join(path, name), '');
  expect(findDataFolder(path).path).toBe(path);
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

test('a folder without anything of a server is not found, and nothing is made', () => {
  writeFileSync(join(parent, 'notes.txt'), '');
  for (const other of [path, parent, join(parent, 'notes.txt')])
    expect(() => findDataFolder(other)).toThrow(`There is no server's data in the folder ${other}`);
  expect(readdirSync(parent)).toEqual(['notes.txt']);
});

test('a folder with files of something else is refused, and stays as it is', () => {
  mkdirSync(path, { mode: 0o755 });
  writeFileSync(join(path, 'notes.txt'), '');
  expect(() => openDataFolder(path)).toThrow(
    `The data folder ${path} cannot be used: it has other files, such as notes.txt.`,
  );
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

test.each([
  'manifest.json',
  'partition-0',
  'lock.sock.guard',
  'admin.sock',
  'running-0.mark',
  'lost+found',
  '.keep',
])('a folder with %s is used', (name) => {
  mkdirSync(path, { mode: 0o755 });
  writeFileSync(join(path, name), '');
  expect(openDataFolder(path).made).toEqual([]);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a file in the place of the folder is refused', () => {
  writeFileSync(path, '');
  expect(() => openDataFolder(path)).toThrow(`The data folder ${path} cannot be used`);
});

// because only Linux has a folder in which none can be made by anybody
test.skipIf(process.platform !== 'linux')('a place where no folder can be made is refused', () => {
  expect(() => openDataFolder('/proc/murmuration/data')).toThrow(
    'The data folder /proc/murmuration/data cannot be used: ENOENT',
  );
});

test('a path in which sockets could not be opened is refused, and not made', () => {
  expect(() => openDataFolder(join(path, 'a'.repeat(100)))).toThrow('too long');
  expect(existsSync(path)).toBe(false);
});
