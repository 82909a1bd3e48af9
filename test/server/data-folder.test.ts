/** The data folder and what it was created with, and the sentences for one that cannot be used. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertSameOrigin, openDataFolder, readManifest, writeManifest } from '../../src/server/data-folder.ts';

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
  expect(readManifest(folder)).toBeUndefined();
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('what a folder was made with is remembered', () => {
  writeManifest(openDataFolder(path), { partitions: 4, origin: 'https://social.example' });
  expect(readManifest(openDataFolder(path))).toEqual({ format: 2, partitions: 4, origin: 'https://social.example' });
});

test('a folder in which no server has listened has no origin', () => {
  writeManifest(openDataFolder(path), { partitions: 4 });
  expect(readManifest(openDataFolder(path))).toEqual({ format: 2, partitions: 4 });
});

test('a folder keeps its origin, and the refusal of another one says how to go on', () => {
  const folder = openDataFolder(path);
  const assert = (known: string | undefined) => () => assertSameOrigin(folder, known, 'https://social.example');
  expect(assert(undefined)).not.toThrow();
  expect(assert('https://social.example')).not.toThrow();
  expect(assert('https://old.example')).toThrow(
    `The accounts in the data folder ${path} are those of https://old.example; as accounts of https://social.example nobody would know them. Start with --origin=https://old.example, or`,
  );
});

test.each([
  ['that is damaged', '{ "format": 2,', 'damaged'],
  ['of another version', '{ "format": 1, "partitions": 4 }', 'another version'],
  ['without partitions', '{ "format": 2, "partitions": 0 }', 'another version'],
])('a manifest %s is refused', (_name, text, sentence) => {
  const folder = openDataFolder(path);
  writeFileSync(join(path, 'manifest.json'), text);
  expect(() => readManifest(folder)).toThrow(sentence);
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
