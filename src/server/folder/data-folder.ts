/**
 * The data folder and its sockets. A running server listens on the admin socket, where commands reach it. The process
 * that holds the folder listens on the lock socket (folder-lock.ts); only that process reads or writes anything else in
 * it.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface DataFolder {
  readonly path: string;
  readonly adminSocket: string;
  readonly lockSocket: string;
  /** It was created by this process. */
  readonly isNew: boolean;
  /** Of the partitions in use (partitions.ts); 0 until the manifest was read. */
  readonly generation: number;
}

/** The system's limit for names of sockets; 103 on macOS. */
const socketPathBytesMax = 103;

/** Creates the folder where it is missing. Throws an Error with a sentence for the operator when it cannot be used. */
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

/** Removes a newly created folder that is still empty. */
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

/** Node's own recursive mkdir retries for ever where a parent exists but cannot contain folders, as in /proc. */
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
