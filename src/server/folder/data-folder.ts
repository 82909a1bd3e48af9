/**
 * The data folder and its sockets. A running server listens on the admin socket, where commands reach it. The process
 * that holds the folder listens on the lock socket (folder-lock.ts); only that process reads or writes anything else in
 * it.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { unfinishedFolder } from '../../services/blobs/folder-store.ts';

export interface DataFolder {
  readonly path: string;
  readonly adminSocket: string;
  readonly lockSocket: string;
  /** It and folders above it that this process has created, the innermost first. */
  readonly made: readonly string[];
  /** Of the partitions in use (partitions.ts); 0 until the manifest was read. */
  readonly generation: number;
}

/** The system's limit for names of sockets; 103 on macOS. */
const socketPathBytesMax = 103;

const uploads = 'uploads';

/** Creates the folder where it is missing; an existing one must be empty or of a server. Throws an Error with a sentence for the operator when it cannot be used. */
export function openDataFolder(directory: string): DataFolder {
  const place = placeOf(directory);
  assertRestored(place);
  const made = orRefused(place, () => {
    const folders = makeFolders(place.path);
    assertNothingElse(place.path);
    chmodSync(place.path, 0o700);
    return folders;
  });
  return { ...place, made };
}

/**
 * Of a server that has stored something, or is about to: nothing is created. Throws an Error with a sentence for the
 * operator where there is none.
 */
export function findDataFolder(directory: string): DataFolder {
  const folder = placeOf(directory);
  assertRestored(folder);
  const isUsed = orRefused(folder, () => isFolder(folder.path) && readdirSync(folder.path).some(isOurs));
  if (!isUsed) throw noData(folder);
  return folder;
}

/** In a folder while a backup is restored into it (server/backup/restore.ts). */
export function restoreMark({ path }: Pick<DataFolder, 'path'>): string {
  return join(path, 'restore.unfinished');
}

/** Throws an Error with a sentence where a restore did not come to its end. */
function assertRestored(folder: DataFolder): void {
  if (!existsSync(restoreMark(folder))) return;
  throw new Error(
    `A backup was being restored into the folder ${folder.path}, and not all of it is there: run murmuration restore again, which begins anew.`,
  );
}

/**
 * An empty folder for a backup, created where it is missing, or one in which a restore did not come to its end. Throws an
 * Error with a sentence for anything else.
 */
export function openFolderToRestore(directory: string): DataFolder {
  const place = placeOf(directory);
  const made = orRefused(place, () => makeFolders(place.path));
  assertToRestore(place);
  orRefused(place, () => chmodSync(place.path, 0o700));
  return { ...place, made };
}

/** Throws an Error with a sentence where the folder has anything but what a restore without its end has left. */
export function assertToRestore(place: DataFolder): void {
  const hasMark = existsSync(restoreMark(place));
  const other = orRefused(place, () => readdirSync(place.path)).find((name) => !isLeft(name));
  if (other === undefined || hasMark) return;
  throw new Error(`The folder ${place.path} is not empty: there is ${other}. A backup is restored into a new folder.`);
}

/** Names of what a server has begun with, also one that is starting or whose manifest is lost. */
function isOurs(name: string): boolean {
  return name === 'manifest.json' || name === 'lock.sock' || name.startsWith('partition-');
}

/** Nobody else can read the folder from now on: one that serves something else, such as /etc, must stay as it is. */
function assertNothingElse(path: string): void {
  const names = readdirSync(path);
  const other = names.find((name) => !(isOurs(name) || isLeft(name)));
  if (other !== undefined && !names.some(isOurs)) throw new Error(`it has other files, such as ${other}`);
}

/** Names of what a server may leave when it could not begin, and of what file systems and tools put into a new folder. */
function isLeft(name: string): boolean {
  return /^\.|^lost\+found$|^(lock|admin)\.sock|\.new$|\.mark$|^poison\.json$/.test(name);
}

export function noData({ path }: Pick<DataFolder, 'path'>): Error {
  return new Error(
    `There is no server's data in the folder ${path}: run this in the server's directory, or with its MURMURATION_DATA_DIR.`,
  );
}

export function manifestFile({ path }: Pick<DataFolder, 'path'>): string {
  return join(path, 'manifest.json');
}

/** For the uploads that a gateway is receiving: on the file system on which they are kept. */
export function uploadFolder(path: string, gateway: number): string {
  return join(path, uploads, String(gateway));
}

/** What was being received or copied when the server ended: from clients, from other servers, and into stores of media. */
export function removeUploads({ path }: DataFolder, mediaFolder: string = blobFolder(path)): void {
  rmSync(join(path, uploads), { recursive: true, force: true });
  rmSync(join(mediaCacheFolder(path), 'incoming'), { recursive: true, force: true });
  for (const folder of new Set([blobFolder(path), mediaFolder]))
    rmSync(unfinishedFolder(folder), { recursive: true, force: true });
}

/** Where blobs are, unless they are in a bucket or in another folder. */
export function blobFolder(path: string): string {
  return join(path, 'media');
}

/** Where uploads wait to be decoded. */
export function incomingFolder(path: string): string {
  return join(path, 'incoming');
}

/** Copies of files of other servers, which backups leave out. */
export function mediaCacheFolder(path: string): string {
  return join(path, 'media-cache');
}

/** What is served of the operator's certificate and key, while the server runs. */
export function certificateFolder(path: string): string {
  return join(path, 'tls');
}

/** Where mail is written to, unless there is an SMTP server. */
export function mailFolder(path: string): string {
  return join(path, 'mails');
}

/** The index of the text of statuses, which backups leave out: it is made anew. */
export function searchIndexFile(path: string): string {
  return join(path, 'search', 'index.sqlite');
}

/** Removes newly created folders that are still empty. */
export function dropUnused({ made }: DataFolder): void {
  for (const path of made) {
    if (readdirSync(path).length > 0) return;
    rmdirSync(path);
  }
}

function placeOf(directory: string): DataFolder {
  const path = resolve(directory);
  const adminSocket = join(path, 'admin.sock');
  const lockSocket = join(path, 'lock.sock');
  if (Buffer.byteLength(adminSocket) > socketPathBytesMax)
    throw new Error(`The path of the data folder ${path} is too long: sockets in it could not be opened.`);
  return { path, adminSocket, lockSocket, made: [], generation: 0 };
}

function orRefused<Result>({ path }: DataFolder, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data folder ${path} cannot be used: ${reason}.`, { cause: error });
  }
}

/** Throws the error of the operating system where it cannot be known. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Returns the folders that it made, the innermost first. Node's own recursive mkdir retries for ever where a parent
 * exists but cannot contain folders, as in /proc.
 */
function makeFolders(path: string): string[] {
  try {
    mkdirSync(path);
    return [path];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return [];
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    const above = makeFolders(dirname(path));
    mkdirSync(path);
    return [path, ...above];
  }
}
