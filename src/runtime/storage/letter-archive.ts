/**
 * The archive file for dead letters that exceed their bound in the database: one JSON object a line, appended and
 * synced. A full file is rotated; above their number the oldest is deleted, which is reported.
 */
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pack } from '../codec.ts';
import type { StoredLetter } from '../letters.ts';
import { letterArchiveLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';
import { syncFolder } from './durable-files.ts';

export interface LetterArchiveOptions {
  /** Path of the newest file; older ones have a number appended. */
  readonly path: string;
  readonly partition: number;
  report(problem: Problem): void;
}

export class LetterArchive {
  private readonly options: LetterArchiveOptions;

  constructor(options: LetterArchiveOptions) {
    this.options = options;
  }

  /**
   * Rejects with the error of the operating system. Some of the letters may then be in the file and be appended again.
   */
  async append(letters: readonly StoredLetter[]): Promise<void> {
    const { path, partition } = this.options;
    const bytes = await sizeOf(path);
    const isNew = bytes === 0 || bytes >= letterArchiveLimits.fileBytesMax;
    if (bytes >= letterArchiveLimits.fileBytesMax) await this.rotate();
    const file = await open(path, 'a', 0o600);
    try {
      await file.writeFile(letters.map((letter) => `${lineOf(partition, letter)}\n`).join(''));
      await file.sync();
      if (isNew) syncFolder(dirname(path));
    } finally {
      await file.close();
    }
  }

  private async rotate(): Promise<void> {
    const { path, report } = this.options;
    const nameOf = (age: number) => (age === 0 ? path : `${path}.${age}`);
    const oldest = nameOf(letterArchiveLimits.filesMax - 1);
    if ((await sizeOf(oldest)) > 0) {
      await rm(oldest);
      report({ level: 'error', message: `the oldest archive file of dead letters was deleted: too many of ${path}` });
    }
    for (let age = letterArchiveLimits.filesMax - 2; age >= 0; age -= 1)
      if ((await sizeOf(nameOf(age))) > 0) await rename(nameOf(age), nameOf(age + 1));
  }
}

/** 0 for a missing file. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** `letter` reads like `0-17`; `record` holds the exact stored bytes. */
function lineOf(partition: number, { sequence, ...letter }: StoredLetter): string {
  const { at, error, message } = letter;
  const readable = { letter: `${partition}-${sequence}`, at: new Date(at).toISOString(), error, message };
  return JSON.stringify({ ...readable, record: Buffer.from(pack(letter)).toString('base64') }, (_key, value) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  });
}
