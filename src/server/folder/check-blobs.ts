/** Compares the blobs that the database knows with the files of the data folder. Buckets are not looked at. */

import { existsSync } from 'node:fs';
import { blobs } from '../../actors/blob/blob.state.ts';
import { afterLastKey } from '../../runtime/storage/keyspace.ts';
import type { StorageReader } from '../../runtime/storage/log.ts';
import { FolderStore } from '../../services/blobs/folder-store.ts';
import { blobFolder } from './data-folder.ts';

export interface BlobsCheck {
  /** Files that something refers to and that are not there. */
  readonly missing: number;
  readonly lines: readonly string[];
}

const namesTold = 10;

/** `areAllHere`: none of them is in a bucket, so that each of them is missed where it is not in the folder. */
export async function checkBlobs(
  path: string,
  readers: readonly StorageReader[],
  areAllHere: boolean,
): Promise<BlobsCheck> {
  const folder = blobFolder(path);
  if (!existsSync(folder)) return { missing: 0, lines: [] };
  const stored = new Set<string>();
  for await (const { name } of new FolderStore(folder).list()) stored.add(name);
  const missing: string[] = [];
  for (const { name, isBeingRemoved } of known(readers)) {
    if (!stored.delete(name) && isBeingRemoved !== true && areAllHere) missing.push(name);
  }
  const lines = [
    ...missing.slice(0, namesTold).map((name) => `media: ${name} is missing.`),
    ...(missing.length > namesTold ? [`media: ${missing.length - namesTold} more files are missing.`] : []),
    ...(stored.size > 0 ? [`media: nothing refers to ${stored.size} files, such as ${[...stored][0]}.`] : []),
  ];
  return { missing: missing.length, lines };
}

function* known(readers: readonly StorageReader[]) {
  for (const reader of readers)
    for (const { key, value } of reader.range({ start: Uint8Array.of(0), end: afterLastKey }))
      if (key[slotBytes] === blobs.number && blobs.isKey(key)) yield blobs.value.decode(value);
}

/** Of every key: a slot, and then the number of its keyspace. */
const slotBytes = 2;
