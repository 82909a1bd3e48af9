/** Where media are, and where they were, by the options. */
import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadOptions } from '../../src/options/load.ts';
import { joined, openBlobStores } from '../../src/server/blob-store.ts';
import { openDataFolder, removeUploads } from '../../src/server/folder/data-folder.ts';
import { blobNameOf } from '../../src/services/blobs/blob-names.ts';
import { unfinishedFolder } from '../../src/services/blobs/folder-store.ts';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-media-places-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const stores = (environment: Readonly<Record<string, string>>) =>
  openBlobStores(loadOptions({ environment, configurationFolder: parent, arguments: [] }), join(parent, 'data'));

async function picture(): Promise<readonly [Awaited<ReturnType<typeof blobNameOf>>, string, string]> {
  const file = join(parent, 'picture');
  writeFileSync(file, 'a picture');
  return [await blobNameOf(createReadStream(file), 'image/png', 'a secret'), file, 'image/png'];
}

test('a folder of the options takes media, and those of the data folder are found until they were moved', async () => {
  const shared = join(parent, 'shared');
  const [name, ...content] = await picture();
  const own = await stores({});
  await own.current.put(name, ...content);
  expect([own.earlier.length, existsSync(join(parent, 'data/media', name.slice(0, 2)))]).toEqual([0, true]);
  const both = await stores({ MURMURATION_MEDIA_FOLDER: shared });
  expect([await both.current.has(name), await joined(both).has(name)]).toEqual([false, true]);
  expect(both.folderBetween).toBe(unfinishedFolder(shared));
  await both.current.put(name, ...content);
  expect(existsSync(join(shared, name.slice(0, 2), name.slice(2, 4), name))).toBe(true);
  const bucket = await stores({
    MURMURATION_MEDIA_FOLDER: shared,
    MURMURATION_MEDIA_S3_ENDPOINT: 'https://s3.example',
    MURMURATION_MEDIA_S3_ACCESS_KEY: 'id',
    MURMURATION_MEDIA_S3_SECRET_KEY: 'secret',
  });
  expect(bucket.earlier.length).toBe(2);
});

test('a start removes what was being copied into either folder', async () => {
  const shared = join(parent, 'shared');
  const folder = openDataFolder(join(parent, 'data'));
  for (const place of [shared, join(folder.path, 'media')]) {
    const [name, ...content] = await picture();
    const { current } = await stores({ MURMURATION_MEDIA_FOLDER: place });
    await current.put(name, ...content);
    writeFileSync(join(unfinishedFolder(place), 'half'), 'half');
  }
  removeUploads(folder, shared);
  expect([shared, join(folder.path, 'media')].map((place) => existsSync(unfinishedFolder(place)))).toEqual([
    false,
    false,
  ]);
});
