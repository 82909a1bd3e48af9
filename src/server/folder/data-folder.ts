/**
 * The data folder and the sockets inside. A running server listens on the admin socket, where commands reach it; whoever
 * has the folder at all listens on the lock (folder-lock.ts), and only who has it reads or writes anything else in it.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface DataFolder {
  readonly path: string;
  readonly adminSocket: string;
  readonly lockSocket: string;
  /** There was none before. */
  readonly isNew: boolean;
  /** Of the partitions that are meant (partitions.ts); 0 until the manifest was read. */
  readonly generation: number;
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
  const isNew = !existsSync(path);
  makePrivate(path);
  return { path, adminSocket, lockSocket, isNew, generation: 0 };
}

/** Takes a new folder away again that nothing came into. */
export function dropUnused({ path, isNew }: DataFolder): void {
  if (isNew && readdirSync(path).length === 0) rmdirSync(path);
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
