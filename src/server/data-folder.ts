/**
 * The data folder: what it was created with, and that one server at a time has it. A running server listens on the admin
 * socket inside; a socket that nobody answers is left over from a crash.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const Manifest = z.object({
  /** Of the layout of the folder; higher ones belong to newer versions. */
  format: z.literal(1),
  partitions: z.number().int().min(1),
});

export interface DataFolder {
  readonly path: string;
  readonly adminSocket: string;
  /** Undefined for a folder that is new. */
  readonly partitions: number | undefined;
}

/** Throws an Error with a sentence for the operator when the folder is of a version that this one cannot read. */
export function openDataFolder(directory: string): DataFolder {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  const file = join(path, 'manifest.json');
  const adminSocket = join(path, 'admin.sock');
  if (!existsSync(file)) return { path, adminSocket, partitions: undefined };
  const manifest = Manifest.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!manifest.success)
    throw new Error(`The data folder ${path} was made by another version: its manifest.json cannot be read.`);
  return { path, adminSocket, partitions: manifest.data.partitions };
}

export function rememberPartitions(folder: DataFolder, partitions: number): void {
  if (folder.partitions !== undefined) return;
  const file = join(folder.path, 'manifest.json');
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: 1, partitions })}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
