/** Blobs in a folder. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BlobName, parseBlobName } from '../../../src/services/blobs/blob-store.ts';
import { FolderStore, unfinishedFolder } from '../../../src/services/blobs/folder-store.ts';
import { conformsAsBlobStore } from '../../support/blob-store.conformance.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-store-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('a folder', () => {
  conformsAsBlobStore(() => new FolderStore(join(folder, 'media')));
});

const name = `${'a'.repeat(43)}.png` as BlobName;

test('what an interrupted copy has left is beside the blobs, and no blob', async () => {
  const store = new FolderStore(folder);
  mkdirSync(unfinishedFolder(folder));
  writeFileSync(join(unfinishedFolder(folder), name), 'half');
  expect(await store.has(name)).toBe(false);
  const found: unknown[] = [];
  for await (const blob of store.list()) found.push(blob);
  expect(found).toEqual([]);
});

test('a folder that cannot be written is a failure of the moment', async () => {
  writeFileSync(join(folder, 'media'), 'a file in its place');
  const store = new FolderStore(join(folder, 'media'));
  await expect(store.put(name, join(folder, 'nothing'))).rejects.toMatchObject({
    code: 'storageUnavailable',
  });
});

test('what cannot be copied leaves nothing behind', async () => {
  const store = new FolderStore(folder);
  await expect(store.put(name, join(folder, 'nothing'))).rejects.toMatchObject({
    code: 'storageUnavailable',
  });
  expect(readdirSync(join(folder, 'aa', 'aa'))).toEqual([]);
  expect(readdirSync(unfinishedFolder(folder))).toEqual([]);
});

test('other files in the folder are no blobs', async () => {
  mkdirSync(join(folder, 'aa', 'bb'), { recursive: true });
  writeFileSync(join(folder, 'aa', 'bb', 'Thumbs.db'), 'x');
  writeFileSync(join(folder, 'readme.txt'), 'x');
  const found: unknown[] = [];
  for await (const blob of new FolderStore(folder).list()) found.push(blob);
  expect(found).toEqual([]);
});

test.each([
  ['', undefined],
  ['../../etc/passwd', undefined],
  [`${'a'.repeat(43)}.png/..`, undefined],
  [`${'a'.repeat(42)}.png`, undefined],
  [`${'a'.repeat(43)}.p/g`, undefined],
  [`${'a'.repeat(43)}`, undefined],
  [`${'a_-9'.repeat(10)}aaa.mp4`, `${'a_-9'.repeat(10)}aaa.mp4`],
])('%j as a name of a blob: %j', (text, parsed) => {
  expect(parseBlobName(text)).toBe(parsed);
});
