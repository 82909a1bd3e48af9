/** The data folder and what it was created with, and the sentences for one that cannot be used. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder, rememberPartitions } from '../../src/server/data-folder.ts';

let parent: string;
let path: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-folder-'));
  path = join(parent, 'data');
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

function manifest(): string {
  return readFileSync(join(path, 'manifest.json'), 'utf8');
}

test('a new folder is made for its owner alone', () => {
  expect(openDataFolder(path)).toMatchObject({ path, partitions: undefined });
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('the number of partitions stays what it was at first', () => {
  rememberPartitions(openDataFolder(path), 4);
  const again = openDataFolder(path);
  expect(again.partitions).toBe(4);
  rememberPartitions(again, 8);
  expect(JSON.parse(manifest())).toEqual({ format: 1, partitions: 4 });
});

test.each([
  ['that is damaged', '{ "format": 1,', 'damaged'],
  ['of another version', '{ "format": 2, "partitions": 4 }', 'another version'],
  ['without partitions', '{ "format": 1, "partitions": 0 }', 'another version'],
])('a manifest %s is refused', (_name, text, sentence) => {
  openDataFolder(path);
  writeFileSync(join(path, 'manifest.json'), text);
  expect(() => openDataFolder(path)).toThrow(sentence);
});

test('a file in the place of the folder is refused', () => {
  writeFileSync(path, '');
  expect(() => openDataFolder(path)).toThrow(`The data folder ${path} cannot be used`);
});

test('a path in which sockets could not be opened is refused', () => {
  expect(() => openDataFolder(join(path, 'a'.repeat(100)))).toThrow('too long');
});
