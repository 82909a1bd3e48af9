/**
 * The data folder: what it was created with, and the sockets inside. A running server listens on the admin socket, where
 * commands reach it; whoever has the folder at all listens on the lock (folder-lock.ts).
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
  readonly lockSocket: string;
  /** Undefined for a folder that is new. */
  readonly partitions: number | undefined;
}

/** The system takes no longer names of sockets; macOS 103. */
const socketPathBytesMax = 103;

/** Throws an Error with a sentence for the operator when the folder cannot be used, or is of another version. */
export function openDataFolder(directory: string): DataFolder {
  const path = resolve(directory);
  makePrivate(path);
  const file = join(path, 'manifest.json');
  const adminSocket = join(path, 'admin.sock');
  const lockSocket = join(path, 'lock.sock');
  if (Buffer.byteLength(adminSocket) > socketPathBytesMax)
    throw new Error(`The path of the data folder ${path} is too long: sockets in it could not be opened.`);
  const partitions = existsSync(file) ? readManifest(path, file) : undefined;
  return { path, adminSocket, lockSocket, partitions };
}

function makePrivate(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o700);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data folder ${path} cannot be used: ${reason}.`, { cause: error });
  }
}

function readManifest(path: string, file: string): number {
  const manifest = Manifest.safeParse(parseManifest(path, file));
  if (!manifest.success)
    throw new Error(`The data folder ${path} was made by another version: its manifest.json cannot be understood.`);
  return manifest.data.partitions;
}

function parseManifest(path: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`The manifest.json of the data folder ${path} is damaged: restore it from a backup.`, {
      cause: error,
    });
  }
}

export function rememberPartitions(folder: DataFolder, partitions: number): void {
  if (folder.partitions !== undefined) return;
  const file = join(folder.path, 'manifest.json');
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: 1, partitions })}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
