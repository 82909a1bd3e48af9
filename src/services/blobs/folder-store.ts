/**
 * Blobs in a folder: one file each, two levels deep, so that no folder becomes too large to list.
 *
 * 1. A file appears under its name whole, by a rename, after its bytes are on disk; the folder entry is on disk before `put`
 *    settles. A crash leaves at most a file in the folder of unfinished ones, which the next start removes.
 * 2. Names are checked (`BlobName`), so that nothing outside of the folder is reached.
 */
import { randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../../runtime/errors.ts';
import { type BlobName, type BlobStore, parseBlobName, type StoredBlob } from './blob-store.ts';
import { LocalFile } from './local-file.ts';
import { synced } from './synced.ts';

/** Of a folder of blobs: copies that are not whole yet. Folders of blobs have names of two characters. */
export function unfinishedFolder(folder: string): string {
  return join(folder, 'unfinished');
}

export class FolderStore implements BlobStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async put(name: BlobName, file: string): Promise<void> {
    if (await this.has(name)) return;
    await orUnavailable(async () => {
      const place = this.placeOf(name);
      const copy = join(unfinishedFolder(this.folder), randomUUID());
      await this.makeFolder(dirname(place));
      await mkdir(dirname(copy), { recursive: true });
      try {
        // A copy on the same file system may share its blocks, where that is able to.
        await copyFile(file, copy, constants.COPYFILE_FICLONE);
        await synced(copy);
        await rename(copy, place);
      } catch (error) {
        await rm(copy, { force: true });
        throw error;
      }
      await synced(dirname(place));
    });
  }

  open(name: BlobName): Promise<LocalFile | undefined> {
    return orUnavailable(() => LocalFile.open(this.placeOf(name)));
  }

  async has(name: BlobName): Promise<boolean> {
    return orUnavailable(async () => (await orAbsent(stat(this.placeOf(name)))) !== undefined);
  }

  async addressOf(): Promise<undefined> {
    return undefined;
  }

  async delete(name: BlobName): Promise<void> {
    await orUnavailable(() => rm(this.placeOf(name), { force: true }));
  }

  async *list(): AsyncIterable<StoredBlob> {
    for await (const { name, path } of this.files()) {
      if (parseBlobName(name) === undefined) continue;
      const found = await orAbsent(stat(path));
      if (found !== undefined) yield { name, bytes: found.size, storedAt: found.mtimeMs };
    }
  }

  private async *files(): AsyncIterable<{ readonly name: string; readonly path: string }> {
    for (const outer of await folders(this.folder)) {
      for (const inner of await folders(join(this.folder, outer))) {
        const folder = join(this.folder, outer, inner);
        for (const name of (await orAbsent(readdir(folder))) ?? []) yield { name, path: join(folder, name) };
      }
    }
  }

  private placeOf(name: BlobName): string {
    return join(this.folder, name.slice(0, 2), name.slice(2, 4), name);
  }

  /** A new folder is on disk with the entries that lead to it. */
  private async makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true });
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) await synced(dirname(made));
  }
}

/** The names of the folders in a folder; none where it does not exist. */
async function folders(path: string): Promise<string[]> {
  const entries = (await orAbsent(readdir(path, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function orAbsent<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new Failure('storageUnavailable', { cause });
  }
}
