/** Blobs of which some are still in an earlier store. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blobNameOf } from '../../../src/services/blobs/blob-names.ts';
import type { BlobName, BlobStore } from '../../../src/services/blobs/blob-store.ts';
import { type ByteSource, bytesOf } from '../../../src/services/blobs/byte-source.ts';
import { FolderStore } from '../../../src/services/blobs/folder-store.ts';
import { MovingStore } from '../../../src/services/blobs/moving-store.ts';
import { conformsAsBlobStore } from '../../support/blob-store.conformance.ts';

let folder: string;
let current: FolderStore;
let earlier: FolderStore;
let store: MovingStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-moving-'));
  current = new FolderStore(join(folder, 'current'));
  earlier = new FolderStore(join(folder, 'earlier'));
  store = new MovingStore({ current, earlier: [earlier] });
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('two stores', () => {
  conformsAsBlobStore(() => store);
});

async function put(into: BlobStore, text: string): Promise<BlobName> {
  const file = join(folder, 'upload');
  writeFileSync(file, text);
  const name = await blobNameOf(createReadStream(file), 'image/png', 'a secret');
  await into.put(name, file, 'image/png');
  return name;
}

async function textOf(source: ByteSource | undefined): Promise<string | undefined> {
  if (source === undefined) return undefined;
  let text = '';
  for await (const piece of bytesOf(source, 2)) text += Buffer.from(piece).toString();
  source.close();
  return text;
}

test('a blob is found in either, and what is new is in the current one', async () => {
  const [old, moved] = [await put(earlier, 'old'), await put(store, 'new')];
  expect(await Promise.all([old, moved].map(async (name) => textOf(await store.open(name))))).toEqual(['old', 'new']);
  expect([await current.has(moved), await earlier.has(moved)]).toEqual([true, false]);
  await store.delete(old);
  expect([await store.has(old), await store.open(old)]).toEqual([false, undefined]);
});

test('a blob that moves just when it is looked for is found', async () => {
  const name = await put(earlier, 'old');
  const movesFirst = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    await put(current, 'old');
    await earlier.delete(name);
    return ask();
  };
  const moving: BlobStore = Object.assign(Object.create(earlier) as FolderStore, {
    open: () => movesFirst(() => earlier.open(name)),
    has: () => movesFirst(() => earlier.has(name)),
  });
  const both = new MovingStore({ current, earlier: [moving] });
  expect(await textOf(await both.open(name))).toBe('old');
  await put(earlier, 'old');
  await current.delete(name);
  expect(await both.has(name)).toBe(true);
});

test('what is being read is read on from where it has moved to', async () => {
  const name = await put(earlier, 'older');
  const failing: BlobStore = Object.assign(Object.create(earlier) as FolderStore, {
    open: async () => {
      const whole = (await earlier.open(name))!;
      const read = async (into: Uint8Array, offset: number) => {
        if (offset < 2) return whole.read(into, offset);
        throw new Error('it was removed');
      };
      return { byteLength: whole.byteLength, read, close: () => whole.close() };
    },
  });
  const both = new MovingStore({ current, earlier: [failing] });
  const source = await both.open(name);
  await put(current, 'older');
  expect(await textOf(source)).toBe('older');
  await current.delete(name);
  await expect(textOf(await both.open(name))).rejects.toThrow('it was removed');
});

test('readers are sent to the current store for what no earlier one has', async () => {
  const sending: BlobStore = Object.assign(Object.create(current) as FolderStore, {
    addressOf: async (name: string) => `https://bucket.example/${name}`,
  });
  const both = new MovingStore({ current: sending, earlier: [earlier] });
  const [old, moved] = [await put(earlier, 'old'), await put(both, 'new')];
  expect([await both.addressOf(old), await both.addressOf(moved)]).toEqual([
    undefined,
    `https://bucket.example/${moved}`,
  ]);
  expect(await store.addressOf(moved)).toBeUndefined();
});
