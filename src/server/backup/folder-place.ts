/** Backups in a folder. A file gets its name when it is on disk; until then it is in the folder of unfinished ones. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { LocalFile } from '../../services/blobs/local-file.ts';
import { synced } from '../../services/blobs/synced.ts';
import type { Place, PlacedFile } from './place.ts';

const unfinished = 'unfinished';
/** So much is handed to the disk at a time: commits of the server wait for little. */
const bytesPerSync = 1_048_576;

export class FolderPlace implements Place {
  readonly name: string;
  private readonly folder: string;

  constructor(folder: string) {
    this.name = folder;
    this.folder = resolve(folder);
  }

  put(path: string, _byteLength: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    return this.orRefused(async () => {
      const place = join(this.folder, path);
      const fresh = join(this.folder, unfinished, randomUUID());
      await mkdir(dirname(fresh), { recursive: true, mode: 0o700 });
      try {
        await write(fresh, pieces);
        await makeFolder(dirname(place));
        await rename(fresh, place);
      } catch (error) {
        await rm(fresh, { force: true });
        throw error;
      }
      await synced(dirname(place));
    });
  }

  open(path: string): Promise<LocalFile | undefined> {
    return this.orRefused(() => LocalFile.open(join(this.folder, path)));
  }

  async *list(folder: string): AsyncIterable<PlacedFile> {
    const names = await this.orRefused(() => orNone(readdir(join(this.folder, folder), { withFileTypes: true })));
    for (const entry of names ?? []) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.list(path);
      else {
        const found = await this.orRefused(() => orNone(stat(join(this.folder, path))));
        if (found !== undefined) yield { path, bytes: found.size };
      }
    }
  }

  /** With the folders that are empty then. */
  remove(path: string): Promise<void> {
    return this.orRefused(async () => {
      await rm(join(this.folder, path), { force: true });
      for (let above = dirname(path); above !== '.'; above = dirname(above))
        if (!(await removedIfEmpty(join(this.folder, above)))) return;
    });
  }

  removeUnfinished(): Promise<void> {
    return this.orRefused(() => rm(join(this.folder, unfinished), { recursive: true, force: true }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async orRefused<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      throw new Error(`The backups in ${this.name} cannot be read or written: ${error.message}.`, { cause: error });
    }
  }
}

async function write(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let unsynced = 0;
    for await (const piece of pieces)
      for (let at = 0; at < piece.byteLength; ) {
        const { bytesWritten } = await handle.write(
          piece,
          at,
          Math.min(piece.byteLength - at, bytesPerSync - unsynced),
        );
        at += bytesWritten;
        unsynced += bytesWritten;
        if (unsynced < bytesPerSync) continue;
        await handle.datasync();
        unsynced = 0;
      }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new folder is on disk with the entries that lead to it. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await synced(dirname(made));
}

async function orNone<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const notEmpty: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT']);

async function removedIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (notEmpty.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}
