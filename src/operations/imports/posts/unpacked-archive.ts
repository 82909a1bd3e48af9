/**
 * What an import needs of an archive, as files in a folder of its own, by names that are made here: the actor, the outbox, and
 * media by a digest of their path. It is unpacked as a whole before anything is taken over, so that an archive that is broken in
 * the middle changes nothing; a mark says that it is complete.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveRefused } from '../../../services/archives/archive-problems.ts';
import { foreignEntries } from '../../../services/archives/foreign-archive.ts';
import type { ForeignEntry } from '../../../services/archives/foreign-entry.ts';
import { synced } from '../../../services/blobs/synced.ts';
import { mediaLimits } from '../../../services/media/limits.ts';
import { archiveReadingLimits } from './limits.ts';

const documents = {
  'actor.json': 'actorBytesMax',
  'outbox.json': 'outboxBytesMax',
  'bookmarks.json': 'bookmarksBytesMax',
} as const;
type DocumentName = keyof typeof documents;
const neededDocuments: readonly DocumentName[] = ['actor.json', 'outbox.json'];
const mediaFolder = 'media_attachments/';

export class UnpackedArchive {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get outbox(): string {
    return join(this.folder, 'outbox.json');
  }

  get index(): string {
    return join(this.folder, 'index');
  }

  /** Among the files of the folder, for a path as documents and entries of archives give it. Undefined for other files. */
  static mediaName(path: string): string | undefined {
    const start = path.indexOf(mediaFolder);
    if (start < 0) return undefined;
    return `media-${createHash('sha256').update(path.slice(start)).digest('hex').slice(0, 40)}`;
  }

  async isComplete(): Promise<boolean> {
    return (await sizeOf(this.mark)) !== undefined;
  }

  /** Undefined where the archive has no such file. */
  async mediaBytes(name: string): Promise<number | undefined> {
    return await sizeOf(join(this.folder, name));
  }

  readActor(): Promise<Buffer> {
    return readFile(join(this.folder, 'actor.json'));
  }

  readOutbox(): AsyncIterable<Buffer> {
    return createReadStream(this.outbox, { highWaterMark: 256 * 1024 });
  }

  /** Undefined where there are none. */
  async readBookmarks(): Promise<AsyncIterable<Buffer> | undefined> {
    const path = join(this.folder, 'bookmarks.json');
    return (await sizeOf(path)) === undefined ? undefined : createReadStream(path);
  }

  /**
   * Throws Failure with a reason of an archive; of what was unpacked before, nothing is left. `assertWanted` is called all the
   * time: what it throws ends it.
   */
  async unpack(archive: string, assertWanted: () => void): Promise<void> {
    await this.remove();
    await mkdir(this.folder, { recursive: true });
    const { expansionMax, expansionBytesMax, unpackedBytesMin, entriesMax } = archiveReadingLimits;
    const packed = await sizeOf(archive);
    if (packed === undefined) throw archiveRefused('archiveLost');
    const budget = new Budget(Math.max(unpackedBytesMin, Math.min(expansionMax * packed, packed + expansionBytesMax)));
    /** How deep in folders the documents were found: those nearest to the top count. */
    const depths = new Map<DocumentName, number>();
    let entries = 0;
    const unpacked = (bytes: number) => {
      assertWanted();
      budget.take(bytes);
    };
    for await (const entry of foreignEntries(archive, unpacked)) {
      entries += 1;
      if (entries > entriesMax) throw archiveRefused('archiveTooLarge');
      await this.take(entry, depths);
    }
    if (!neededDocuments.every((name) => depths.has(name))) throw archiveRefused('archiveWithoutPosts');
  }

  /** Call when everything else in the folder is written. */
  async complete(): Promise<void> {
    await synced(this.outbox);
    await synced(this.index);
    await writeFile(`${this.mark}.new`, '');
    await rename(`${this.mark}.new`, this.mark);
    await synced(this.folder);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  private get mark(): string {
    return join(this.folder, 'complete');
  }

  private async take(entry: ForeignEntry, depths: Map<DocumentName, number>): Promise<void> {
    const steps = entry.path.split('/').filter((step) => step !== '' && step !== '.');
    const isFolder = entry.path.endsWith('/');
    const document = isFolder
      ? undefined
      : (Object.keys(documents) as DocumentName[]).find((name) => name === steps.at(-1));
    const media = isFolder ? undefined : UnpackedArchive.mediaName(entry.path);
    if (document !== undefined && steps.length < (depths.get(document) ?? Number.POSITIVE_INFINITY)) {
      depths.set(document, steps.length);
      const isWhole = await this.write(document, entry, archiveReadingLimits[documents[document]]);
      if (!isWhole) throw archiveRefused('archiveTooLarge');
    } else if (media !== undefined) {
      const isWhole = await this.write(media, entry, mediaLimits.filmBytesMax);
      if (!isWhole) await rm(join(this.folder, media));
    } else await this.pass(entry);
  }

  /** What nobody needs is read all the same: it shows whether the archive is sound. */
  private async pass(entry: ForeignEntry): Promise<void> {
    for await (const _piece of entry.content());
  }

  /** False where it has more bytes: the rest is read, which shows whether it is sound, but not written. */
  private async write(name: string, entry: ForeignEntry, bytesMax: number): Promise<boolean> {
    const file = await open(join(this.folder, name), 'w');
    try {
      let bytes = 0;
      for await (const piece of entry.content()) {
        bytes += piece.length;
        if (bytes <= bytesMax) await file.write(piece);
      }
      return bytes <= bytesMax;
    } finally {
      await file.close();
    }
  }
}

/** Of an archive that grows without end when it is unpacked. */
class Budget {
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  take(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw archiveRefused('archiveTooLarge');
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
