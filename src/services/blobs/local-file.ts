/** A file of this machine as a source of bytes. */
import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { ByteSource } from './byte-source.ts';

const openFile = promisify(open);
const statOf = promisify(fstat);

export class LocalFile implements ByteSource {
  readonly byteLength: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** The same as long as it is the same file, also under another name: another file at its place has another one. */
  readonly identity: string;
  private readonly descriptor: number;

  private constructor(descriptor: number, { size, mtimeMs, ino, birthtimeMs }: Stats) {
    this.descriptor = descriptor;
    this.byteLength = size;
    this.modifiedAt = mtimeMs;
    this.identity = `${ino.toString(36)}-${Math.floor(birthtimeMs).toString(36)}`;
  }

  /**
   * Undefined where there is no such file, or something that is none; symbolic links are not followed. Rejects with the
   * error of the operating system for anything else. Whoever does not answer with it closes it.
   */
  static async open(path: string): Promise<LocalFile | undefined> {
    let descriptor: number;
    try {
      // Without waiting, should it be a pipe.
      descriptor = await openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (missing.has((error as NodeJS.ErrnoException).code)) return undefined;
      throw error;
    }
    const stats = await statOf(descriptor);
    if (stats.isFile()) return new LocalFile(descriptor, stats);
    close(descriptor, () => undefined);
    return undefined;
  }

  read(into: Uint8Array, offset: number): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.descriptor, into, 0, into.byteLength, offset, (error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });
  }

  close(): void {
    close(this.descriptor, () => undefined);
  }
}

/** Of a path that leads nowhere, through a file, or to a symbolic link. */
const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
