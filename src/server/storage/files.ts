/** The disk space of what is beside the partitions in a data folder. */
import { lstat, opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoragePlace } from '../../services/storage.ts';
import { blobFolder, incomingFolder, mailFolder, mediaCacheFolder, searchIndexFile } from '../folder/data-folder.ts';

export const places = {
  ownMedia: 'Media of people here',
  otherMedia: 'Copies of media and link previews of other servers',
  search: 'Search index',
  incoming: 'Uploads that wait to be decoded',
  mails: 'Mails written to files',
} as const satisfies Record<StoragePlace, string>;
export type PlaceName = StoragePlace;

export interface FileAmount {
  readonly files: number;
  readonly bytes: number;
}

export type FileUse = Readonly<Record<PlaceName, FileAmount>>;

/** Media in a bucket are not counted. */
export async function measureFiles(folder: string): Promise<FileUse> {
  const [ownMedia, otherMedia, search, incoming, mails] = await Promise.all([
    bytesBelow(blobFolder(folder)),
    bytesBelow(mediaCacheFolder(folder)),
    bytesBelow(dirname(searchIndexFile(folder))),
    bytesBelow(incomingFolder(folder)),
    bytesBelow(mailFolder(folder)),
  ]);
  return { ownMedia, otherMedia, search, incoming, mails };
}

async function bytesBelow(path: string): Promise<FileAmount> {
  const sum = { files: 0, bytes: 0 };
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await unlessGone(opendir(next));
    if (entries === undefined) continue;
    for await (const entry of entries) {
      const file = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(file);
      else {
        const found = await unlessGone(lstat(file));
        sum.files += found === undefined ? 0 : 1;
        sum.bytes += found?.size ?? 0;
      }
    }
  }
  return sum;
}

/** The server removes files meanwhile. */
async function unlessGone<Result>(found: Promise<Result>): Promise<Result | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
