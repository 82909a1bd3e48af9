/** Removes the oldest backups of a place, and media that only they needed. */
import { type BlobName, parseBlobName } from '../../services/blobs/blob-store.ts';
import { backupsIn, damagedBackup, fileOfBackup, manifestOfBackup, readBackup } from './backup-manifest.ts';
import { mediaFileOf, mediaIn, mediaOfList } from './media.ts';
import { contentAt, type Place } from './place.ts';

/**
 * Keeps so many, and returns the names of the others. Nothing is removed where one of those to be kept cannot be read: its
 * media would be taken for nobody's.
 */
export async function prune(place: Place, keep: number): Promise<string[]> {
  const whole = (await backupsIn(place)).filter(({ isWhole }) => isWhole);
  const removed = whole.slice(0, -keep);
  if (removed.length === 0) return [];
  const needed = new Set<BlobName>();
  for (const { name } of whole.slice(-keep)) await addMediaOf(place, name, needed);
  for (const { name, files } of removed) {
    // Without it, what is left counts as unfinished.
    await place.remove(manifestOfBackup(name));
    for (const path of files) await place.remove(path);
  }
  for (const text of (await mediaIn(place)).keys()) {
    const name = parseBlobName(text);
    if (name !== undefined && !needed.has(name)) await place.remove(mediaFileOf(name));
  }
  return removed.map(({ name }) => name);
}

async function addMediaOf(place: Place, backup: string, names: Set<BlobName>): Promise<void> {
  const { media } = await readBackup(place, backup);
  if (media === undefined) return;
  const path = fileOfBackup(backup, media.list.file);
  const list = await contentAt(place, path);
  if (list === undefined) throw damagedBackup(place, path);
  for (const name of mediaOfList(list).keys()) names.add(name);
}
