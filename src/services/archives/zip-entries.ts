/** The files of a zip archive. */
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { archiveRefused } from './archive-problems.ts';
import type { ForeignEntry } from './foreign-entry.ts';
import { readSoundly } from './read-soundly.ts';

/** The upper half of the attributes, where a Unix has written them: the kind of the file. */
const kindMask = 0o170000;
const [regularFile, unknownKind] = [0o100000, 0];

export async function* zipEntries(path: string, unpacked: (bytes: number) => void): AsyncGenerator<ForeignEntry> {
  const zip = await openZip(path);
  try {
    for await (const entry of readSoundly(zip.eachEntry())) {
      if (entry.isEncrypted()) throw archiveRefused('archiveEncrypted');
      const kind = (entry.externalFileAttributes >>> 16) & kindMask;
      const isFolder = entry.fileName.endsWith('/');
      if (!isFolder && kind !== regularFile && kind !== unknownKind) throw archiveRefused('archiveUnsafe');
      yield { path: entry.fileName, content: () => readSoundly(contentOf(zip, entry, unpacked)) };
    }
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true });
  } catch (error) {
    throw archiveRefused('archiveBroken', error);
  }
}

/** The library compares the length with what the entry says, and not its checksum. */
async function* contentOf(zip: ZipFile, entry: Entry, unpacked: (bytes: number) => void): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const piece of await zip.openReadStreamPromise(entry)) {
    unpacked(piece.length);
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== entry.crc32) throw archiveRefused('archiveBroken');
}
