/**
 * Prepares a data folder for serving: it is created, or verified and migrated to the format of this version, and a new
 * epoch begins.
 *
 * INVARIANTS
 * 1. Nothing of a folder is changed before all of it was verified. A folder of an earlier format is migrated before its
 *    channels are verified, because these are read in the current format.
 * 2. Each partition stores the new epoch before the manifest does: an interrupted start leaves partitions one ahead of
 *    it, never behind.
 * 3. A new folder whose creation failed is left as it was before.
 * 4. Where two processes in a row did not close the folder, every page is read before anything else: their end may have been
 *    a damaged page, which would end each further one too (docs/decisions/0040).
 */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { syncFolder } from '../../runtime/storage/durable-files.ts';
import type { PartitionLog } from '../../runtime/storage/log.ts';
import { identity, meta } from '../../runtime/storage/machine.ts';
import { migrate } from '../../runtime/storage/migration.ts';
import { type DataFolder, manifestFile } from './data-folder.ts';
import {
  adoptedEpoch,
  type FolderManifest,
  type FormerFolderManifest,
  folderFormat,
  isEveryPageRead,
  isFormer,
  isMade,
  nextEpoch,
  partitionsOf,
  readManifest,
  unclosedStartsOf,
  writeManifest,
} from './manifest.ts';
import { migrations } from './migrations.ts';
import {
  append,
  assertRoom,
  assertWhole,
  damaged,
  makePartition,
  openLog,
  openPartition,
  otherGenerations,
  partitionsIn,
  removeOtherGenerations,
  removePartitions,
} from './partition-files.ts';
import {
  areCurrent,
  assertNoMore,
  lowestFormat,
  manifestMissing,
  newestFollowed,
  readerOf,
  verifyChannels,
  verifyIdentities,
} from './verify.ts';

/** Opens a partition whose files are whole; may reject with an Error whose message is a sentence. */
export type OpenPartition = (folder: DataFolder, partition: number) => PartitionLog | Promise<PartitionLog>;

export interface FolderWish {
  /** For a new folder. */
  readonly partitions: number;
  /** The origin of the accounts; undefined leaves it open. */
  readonly origin: string | undefined;
  /** The domain of their handles, where it is not the host of the origin. */
  readonly domain?: string | undefined;
  /** The epoch that begins, where a cluster decides it; the next one of the folder where it is omitted. */
  readonly epoch?: number | undefined;
  /** Every page that has to be was read before the partitions were opened. */
  readonly arePagesRead?: boolean;
}

export const everyPage = 'The server ended twice without being stopped: every page of its data folder is read first.';

/**
 * The caller holds the folder's lock. `tell` gets a sentence before every page is read, which may take a while,
 * before a migration, which may too and cannot be taken back, and before copies of partitions are removed; the signal ends both. Rejects with an Error whose message is
 * a sentence for the operator, or with the reason of the signal. `open` is how partitions that exist are opened.
 */
export async function prepareFolder(
  opened: DataFolder,
  wish: FolderWish,
  tell: (sentence: string) => void = () => undefined,
  signal?: AbortSignal,
  open: OpenPartition = openPartition,
): Promise<FolderManifest> {
  const manifest = readManifest(opened);
  if (!isMade(manifest)) return await makeFolder(opened, wish);
  const folder = partitionsOf(opened, manifest);
  const pages = wish.arePagesRead !== true && isEveryPageRead(manifest) ? 'every' : 'upper';
  if (pages === 'every') tell(everyPage);
  for (let number = 0; number < manifest.partitions; number += 1) {
    // A request to stop comes through the event loop.
    if (pages === 'every') await setImmediate();
    signal?.throwIfAborted();
    assertWhole(folder, number, pages);
  }
  assertNoMore(folder, manifest.partitions);
  return await withPartitions(folder, manifest.partitions, open, async (logs) => {
    const current = isFormer(manifest) ? adopted(manifest) : manifest;
    verifyIdentities(folder, current, logs, wish.epoch);
    if (areCurrent(logs)) verifyChannels(folder, logs);
    else tell(migrationOf(folder, lowestFormat(logs)));
    try {
      const left = otherGenerations(folder);
      if (left.length > 0) tell(`Removing what an interrupted repartition left behind: ${left.join(', ')}.`);
      removeOtherGenerations(folder);
      // From here on versions that do not know the new format refuse the folder.
      const opened = writeManifest(folder, { ...current, unclosedStarts: unclosedStartsOf(manifest) + 1 });
      const epoch = wish.epoch ?? Math.max(nextEpoch(opened), newestFollowed(folder, logs) + 1);
      return await beginEpoch(folder, withNames(opened, wish), logs, epoch, signal);
    } catch (error) {
      if (error === signal?.reason) {
        // The folder is left as closed as it was.
        writeManifest(folder, { ...current, unclosedStarts: unclosedStartsOf(manifest) || undefined });
        throw error;
      }
      throw new Error(`The data folder ${folder.path} cannot be written: ${reasonOf(error)}.`, { cause: error });
    }
  });
}

function migrationOf({ path }: DataFolder, format: number): string {
  return `The data folder ${path} is migrated from format ${format} to ${folderFormat}: earlier versions cannot open it any more.`;
}

/** The names of the accounts, or those that the accounts of a new folder will have. */
function withNames(manifest: FolderManifest, { origin, domain }: FolderWish): FolderManifest {
  return manifest.origin === undefined ? { ...manifest, origin, domain } : manifest;
}

/** Closes the folder: stores how far the partitions have come, for the next start. The threads that owned them have ended. */
export async function recordCommits(opened: DataFolder, manifest: FolderManifest): Promise<void> {
  const folder = partitionsOf(opened, manifest);
  await withPartitions(folder, manifest.partitions, openPartition, (logs) => {
    writeManifest(folder, { ...manifest, unclosedStarts: undefined, commits: commitsOf(logs) });
    return Promise.resolve();
  });
}

/** Before an end without a stop that nothing in the folder is to blame for: it does not count (docs/decisions/0040). */
export function noteBlamelessEnd(folder: DataFolder, manifest: FolderManifest): void {
  writeManifest(folder, { ...manifest, unclosedStarts: Math.max(0, unclosedStartsOf(manifest) - 1) || undefined });
}

async function makeFolder(folder: DataFolder, { partitions, origin, domain }: FolderWish): Promise<FolderManifest> {
  const isUnfinished = existsSync(manifestFile(folder));
  if (!isUnfinished && partitionsIn(folder).length > 0) throw damaged(folder, manifestMissing);
  try {
    const id = randomBytes(16).toString('hex');
    const fresh = { id, epoch: 0, commits: [], unclosedStarts: 1, partitions, origin, domain };
    const manifest = writeManifest(folder, fresh);
    removePartitions(folder);
    assertRoom(folder, partitions);
    return await withPartitions(folder, partitions, makePartition, async (logs) => {
      syncFolder(folder.path);
      return await beginEpoch(folder, manifest, logs, nextEpoch(manifest));
    });
  } catch (error) {
    removePartitions(folder);
    rmSync(manifestFile(folder), { force: true });
    throw new Error(`The data folder ${folder.path} could not be made: ${reasonOf(error)}.`, { cause: error });
  }
}

/** The log only says "the commit failed"; its cause says why. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/** The new manifest of a folder of format 2. */
function adopted({ partitions, origin }: FormerFolderManifest): FolderManifest {
  const id = randomBytes(16).toString('hex');
  const format = folderFormat;
  return { format, minimumReader: format, id, epoch: adoptedEpoch, commits: [], adopting: true, partitions, origin };
}

async function beginEpoch(
  folder: DataFolder,
  manifest: FolderManifest,
  logs: readonly PartitionLog[],
  epoch: number,
  signal?: AbortSignal,
): Promise<FolderManifest> {
  const { id, partitions, adopting, ...rest } = manifest;
  const begin = async (log: PartitionLog, number: number) => {
    await openLog(log, epoch);
    const stored = readerOf(log).get(identity, [0]) ?? { format: adopting === true ? 2 : folderFormat };
    const value = identity.value.encode({ ...stored, folder: id, number, partitions, epoch });
    await append(log, { keys: [identity.encode([0])], values: [value] });
    await migrate({ log, migrations, append: (batch) => append(log, batch), signal });
  };
  if (areCurrent(logs)) {
    // Side by side: each waits for disks, of other machines too. None is closed while another still works.
    for (const begun of await Promise.allSettled(logs.map(begin))) if (begun.status === 'rejected') throw begun.reason;
  } else for (const [number, log] of logs.entries()) await begin(log, number);
  verifyChannels(folder, logs);
  return writeManifest(folder, { ...rest, id, partitions, epoch, commits: commitsOf(logs) });
}

export function commitsOf(logs: readonly PartitionLog[]): number[] {
  return logs.map((log) => readerOf(log).get(meta, [0])?.commit ?? 0);
}

/** Always closes what it opened. */
export async function withPartitions<Result>(
  folder: DataFolder,
  partitions: number,
  open: OpenPartition,
  work: (logs: readonly PartitionLog[]) => Promise<Result>,
): Promise<Result> {
  const logs: PartitionLog[] = [];
  try {
    for (let number = 0; number < partitions; number += 1) logs.push(await open(folder, number));
    return await work(logs);
  } finally {
    await Promise.all(logs.map((log) => log.close()));
  }
}
