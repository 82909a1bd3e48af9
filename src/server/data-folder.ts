/**
 * The data folder: what it was created with, and the sockets inside. A running server listens on the admin socket, where
 * commands reach it; whoever has the folder at all listens on the lock (folder-lock.ts), and only who has it reads or
 * writes the manifest.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

/** Of the layout of the folder; higher ones belong to newer versions. Nothing was released with the first. */
const folderFormat = 2;

const Manifest = z.object({
  format: z.literal(folderFormat),
  partitions: z.number().int().min(1),
  /** Under which the accounts inside are known; absent until a server has listened. */
  origin: z.string().optional(),
});

export interface FolderManifest {
  readonly partitions: number;
  readonly origin?: string | undefined;
}

export interface DataFolder {
  readonly path: string;
  readonly adminSocket: string;
  readonly lockSocket: string;
}

/** The system takes no longer names of sockets; macOS 103. */
const socketPathBytesMax = 103;

/** Makes the folder where it is missing. Throws an Error with a sentence for the operator when it cannot be used. */
export function openDataFolder(directory: string): DataFolder {
  const path = resolve(directory);
  const adminSocket = join(path, 'admin.sock');
  const lockSocket = join(path, 'lock.sock');
  if (Buffer.byteLength(adminSocket) > socketPathBytesMax)
    throw new Error(`The path of the data folder ${path} is too long: sockets in it could not be opened.`);
  makePrivate(path);
  return { path, adminSocket, lockSocket };
}

function makePrivate(path: string): void {
  try {
    makeFolders(path);
    chmodSync(path, 0o700);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data folder ${path} cannot be used: ${reason}.`, { cause: error });
  }
}

/** Node's own recursive mkdir tries for ever where a parent exists and takes no folders, as in /proc. */
function makeFolders(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeFolders(dirname(path));
    mkdirSync(path);
  }
}

/** Undefined for a folder that is new. Throws an Error with a sentence when it is damaged or of another version. */
export function readManifest({ path }: DataFolder): FolderManifest | undefined {
  const file = join(path, 'manifest.json');
  if (!existsSync(file)) return undefined;
  const manifest = Manifest.safeParse(parseManifest(path, file));
  if (!manifest.success)
    throw new Error(`The data folder ${path} was made by another version: its manifest.json cannot be understood.`);
  return manifest.data;
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

export function writeManifest({ path }: DataFolder, { partitions, origin }: FolderManifest): void {
  const file = join(path, 'manifest.json');
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: folderFormat, partitions, origin })}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Throws an Error with a sentence for the operator when the accounts in the folder are known under another origin. */
export function assertSameOrigin({ path }: DataFolder, known: string | undefined, origin: string): void {
  if (known === undefined || known === origin) return;
  throw new Error(
    `The accounts in the data folder ${path} are those of ${known}; as accounts of ${origin} nobody would know them. Start with --origin=${known}, or with another data folder. To rename them all nevertheless, remove "origin" from its manifest.json.`,
  );
}
