/** A backup, and so a snapshot of a cluster, counts once the place has returned what was written. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUp } from '../../../src/server/backup/backup.ts';
import { FolderPlace } from '../../../src/server/backup/folder-place.ts';
import { openToRead } from '../../../src/server/backup/moment.ts';
import { Pace } from '../../../src/server/backup/pace.ts';
import { onePiece } from '../../../src/server/backup/place.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-read-back-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

test('what a place returns otherwise than it was written is no backup', async () => {
  const folder = openDataFolder(join(parent, 'data'));
  await prepareFolder(folder, { partitions: 2, origin: undefined });
  const place = new FolderPlace(join(parent, 'place'));
  const careless = new FolderPlace(place.name);
  careless.put = (path, bytes, pieces) =>
    place.put(path, bytes, path.includes('/partition-1/') ? onePiece(Buffer.from('other')) : pieces);
  const make = async (into: FolderPlace) => {
    const opened = openToRead(folder, false);
    const pace = new Pace(Number.POSITIVE_INFINITY);
    const work = { path: folder.path, opened, blobs: undefined, keep: undefined, pace, now: 0, show: () => undefined };
    return await backUp({ ...work, place: into }).finally(() => opened.close());
  };
  await expect(make(careless)).rejects.toThrow('does not return what was written: backups/');
  const manifest = join(place.name, 'backups/1970-01-01T00-00-00-000Z/backup.json');
  expect(existsSync(manifest)).toBe(false);
  await make(place);
  expect(existsSync(manifest)).toBe(true);
});
