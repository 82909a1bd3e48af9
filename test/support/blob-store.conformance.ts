/** What every blob store keeps to. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blobNameOf, mediaTypeOf } from '../../src/services/blobs/blob-names.ts';
import type { BlobName, BlobStore, StoredBlob } from '../../src/services/blobs/blob-store.ts';

const secret = 'a secret of the server';

export function conformsAsBlobStore(makeStore: () => Promise<BlobStore> | BlobStore): void {
  let folder: string;
  let store: BlobStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'murmuration-blobs-'));
    store = await makeStore();
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  async function put(bytes: Buffer, mediaType = 'image/png'): Promise<BlobName> {
    const file = join(folder, 'upload');
    writeFileSync(file, bytes);
    const name = await blobNameOf(createReadStream(file), mediaType, secret);
    await store.put(name, file, mediaType);
    return name;
  }

  async function listed(): Promise<StoredBlob[]> {
    const found: StoredBlob[] = [];
    for await (const blob of store.list()) found.push(blob);
    return found.toSorted((one, other) => one.name.localeCompare(other.name));
  }

  async function read(name: BlobName, offset: number, length: number): Promise<Buffer> {
    const source = (await store.open(name))!;
    try {
      const into = Buffer.alloc(length);
      let at = 0;
      while (at < length) {
        const count = await source.read(into.subarray(at), offset + at);
        if (count === 0) break;
        at += count;
      }
      return into.subarray(0, at);
    } finally {
      source.close();
    }
  }

  test('what is put can be read, whole and from any place', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 251));
    const name = await put(bytes);
    expect(name).toMatch(/^[\w-]{43}\.png$/);
    expect(mediaTypeOf(name)).toBe('image/png');
    expect((await store.open(name))!.byteLength).toBe(bytes.length);
    expect((await read(name, 0, bytes.length)).equals(bytes)).toBe(true);
    expect((await read(name, 99_990, 100)).equals(bytes.subarray(99_990))).toBe(true);
    expect((await read(name, 100_000, 10)).length).toBe(0);
  });

  test('the same bytes are kept once, others beside them', async () => {
    const [first, again, other] = [
      await put(Buffer.from('one')),
      await put(Buffer.from('one')),
      await put(Buffer.from('two')),
    ];
    expect(again).toBe(first);
    const names = [first, other].toSorted((one, two) => one.localeCompare(two));
    expect(await listed()).toMatchObject(names.map((name) => ({ name, bytes: 3, storedAt: expect.any(Number) })));
  });

  test('what is deleted is gone, and deleting it again changes nothing', async () => {
    const name = await put(Buffer.from('one'));
    expect(await store.has(name)).toBe(true);
    await store.delete(name);
    await store.delete(name);
    expect([await store.has(name), await store.open(name), await listed()]).toEqual([false, undefined, []]);
    expect(await put(Buffer.from('one'))).toBe(name);
    expect((await read(name, 0, 9)).toString()).toBe('one');
  });

  test('a store without anything lists nothing', async () => {
    expect(await listed()).toEqual([]);
  });
}
