/** Files that were uploaded and wait to be decoded: in a folder below the data folder, by names that say nothing. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../runtime/errors.ts';
import { synced } from '../blobs/synced.ts';

export class IncomingFiles {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Moves a file here, and returns its name: it survives a loss of power. Throws Failure storageUnavailable. */
  async take(path: string): Promise<string> {
    const name = randomUUID();
    try {
      await mkdir(this.folder, { recursive: true });
      await synced(path);
      await rename(path, this.pathOf(name));
      await synced(this.folder);
    } catch (cause) {
      throw new Failure('storageUnavailable', { cause });
    }
    return name;
  }

  /** Keeps bytes here for a moment, and returns their name. Throws Failure storageUnavailable. */
  async write(bytes: Uint8Array): Promise<string> {
    const name = randomUUID();
    try {
      await mkdir(this.folder, { recursive: true });
      await writeFile(this.pathOf(name), bytes);
    } catch (cause) {
      throw new Failure('storageUnavailable', { cause });
    }
    return name;
  }

  /** Names of what was written before a time, files and folders. */
  async writtenBefore(time: number): Promise<string[]> {
    const names = await readdir(this.folder).catch(unlessAbsent);
    const times = await Promise.all((names ?? []).map((name) => stat(this.pathOf(name)).catch(unlessAbsent)));
    return (names ?? []).filter((_name, index) => (times[index]?.mtimeMs ?? time) < time);
  }

  /** What the machine that received it had, another one that goes on with its work has not. */
  async has(name: string): Promise<boolean> {
    return (await stat(this.pathOf(name)).catch(unlessAbsent)) !== undefined;
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { recursive: true, force: true });
  }
}

function unlessAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
