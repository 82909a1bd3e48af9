/**
 * Reads archives that somebody else has made, entry by entry: zip, tar, tar.gz. Nothing is written by the names of entries. What
 * is broken, encrypted, or names files elsewhere is refused as a whole.
 */
import { open } from 'node:fs/promises';
import { archiveRefused } from './archive-problems.ts';
import type { ForeignEntry } from './foreign-entry.ts';
import { tarEntries } from './tar-entries.ts';
import { zipEntries } from './zip-entries.ts';

export type ArchiveKind = 'zip' | 'gzip' | 'tar';

/** By the first bytes. Throws Failure archiveUnknown for anything else. */
export async function kindOfArchive(path: string): Promise<ArchiveKind> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(265);
    await file.read(head, 0, head.length, 0);
    if (head.readUInt32LE(0) === 0x04034b50) return 'zip';
    if (head.readUInt16BE(0) === 0x1f8b) return 'gzip';
    if (head.toString('latin1', 257, 262) === 'ustar') return 'tar';
    throw archiveRefused('archiveUnknown');
  } finally {
    await file.close();
  }
}

/**
 * In the order of the archive. `unpacked` is told of all bytes that come out, also of those that only describe entries, and of 0
 * at each entry; what it throws ends the reading. Throws Failure with a reason of an archive; errors of the disk pass through.
 */
export async function* foreignEntries(
  path: string,
  unpacked: (bytes: number) => void = () => undefined,
): AsyncGenerator<ForeignEntry> {
  const kind = await kindOfArchive(path);
  for await (const entry of kind === 'zip' ? zipEntries(path, unpacked) : tarEntries(path, kind, unpacked)) {
    unpacked(0);
    if (!isInside(entry.path)) throw archiveRefused('archiveUnsafe');
    yield entry;
  }
}

function isInside(path: string): boolean {
  return !/^(?:[A-Za-z]:|[/\\])/.test(path) && !path.split(/[/\\]/).includes('..');
}
