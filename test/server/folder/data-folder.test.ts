/** The data folder, and the errors for an unusable one. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';

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
