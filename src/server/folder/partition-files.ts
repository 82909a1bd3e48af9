/** The files of one partition: their paths, whether they can be mapped, and opening them. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFile, syncFolder, writeDurably } from '../../runtime/storage/durable-files.ts';
import { damageOfLmdbFile } from '../../runtime/storage/lmdb-file.ts';
import { LmdbLog } from '../../runtime/storage/lmdb-log.ts';
import { type HeldFile, openHeldSnapshot } from '../../runtime/storage/lmdb-snapshot.ts';
import { isRefusal, type LogBatch, type PartitionLog } from '../../runtime/storage/log.ts';
import { partitionMapBytes, partitionName, partitionPath } from '../partitions.ts';
import type { DataFolder } from './data-folder.ts';

/** Upper pages of each partition that are read before mapping its file: all above the leaves for a database of some GB. */
const pagesReadMax = 1_000;
/** Room for more readers than the environments need (storage/lmdb-log.ts). */
const lockFileBytes = 36_864;
/** Disk space of a new partition until it has served a little. */
const newPartitionBytes = 262_144;

/** As named in sentences. */
export function partitionFileName({ generation }: DataFolder, partition: number): string {
  return `${partitionName(partition, generation)}/data.mdb`;
}

function pathOf({ path, generation }: DataFolder, partition: number): string {
  return partitionPath(path, partition, generation);
}

/** Numbers of the partitions that have a folder, whatever its content. */
export function partitionsIn(folder: DataFolder): number[] {
  return partitionFolders(folder).flatMap(({ number, generation }) => (generation === folder.generation ? number : []));
}

function partitionFolders({ path }: DataFolder): { name: string; number: number; generation: number }[] {
  return readdirSync(path).flatMap((name) => {
    const found = /^partition-(\d+)(?:-generation-(\d+))?$/.exec(name);
    return found === null ? [] : [{ name, number: Number(found[1]), generation: Number(found[2] ?? 0) }];
  });
}

/** Names of what a repartitioning left behind, completed or not. */
export function otherGenerations(folder: DataFolder): string[] {
  const others = partitionFolders(folder).filter(({ generation }) => generation !== folder.generation);
  return others.map(({ name }) => name).sort();
}

/** Removes them. The partitions in use were verified. */
export function removeOtherGenerations(folder: DataFolder): void {
  for (const name of otherGenerations(folder)) rmSync(join(folder.path, name), { recursive: true, force: true });
}

/**
 * Throws an Error with a sentence when the file is missing or cannot be mapped. Reads every page, or those that a start
 * usually reads: LMDB ends the process where a range meets a damaged leaf.
 */
export function assertWhole(folder: DataFolder, partition: number, pages: 'upper' | 'every'): void {
  const name = partitionFileName(folder, partition);
  const file = fileOf(folder, partition);
  if (!existsSync(file)) throw damaged(folder, `${name} is missing`);
  const damage = damageOfLmdbFile(file, pages === 'upper' ? { pagesMax: pagesReadMax } : {});
  if (damage !== undefined) throw damaged(folder, `${name} ${damage}`);
}

export function damaged({ path }: DataFolder, what: string, cause?: unknown): Error {
  return new Error(
    `The data folder ${path} is damaged: ${what}. Nothing was changed. Restore the whole folder from one backup.`,
    { cause },
  );
}

/**
 * Its state at a moment, for as long as wanted (storage/lmdb-snapshot.ts). A server may run on the folder, or start
 * afterwards; the caller holds the lock of one without.
 */
export function openPartitionHeld(folder: DataFolder, partition: number, hasServer: boolean): HeldFile {
  const path = pathOf(folder, partition);
  if (!hasServer) reserveLockFile(join(path, 'lock.mdb'));
  return openHeldSnapshot({ path, mapBytes: partitionMapBytes, readOnly: true });
}

export function openPartition(folder: DataFolder, partition: number): PartitionLog {
  reserveLockOf(folder, partition);
  return new LmdbLog({ path: pathOf(folder, partition), mapBytes: partitionMapBytes });
}

/** Before the partition is opened; nobody has it open. */
export function reserveLockOf(folder: DataFolder, partition: number): void {
  reserveLockFile(join(pathOf(folder, partition), 'lock.mdb'));
}

/** On a file system that cannot be written, where nobody else can change it. */
export function openPartitionToRead(folder: DataFolder, partition: number): PartitionLog {
  return new LmdbLog({ path: pathOf(folder, partition), mapBytes: partitionMapBytes, readOnly: true });
}

/**
 * Throws the error of the operating system when there is no room for so many new partitions: LMDB would end the
 * process.
 */
export function assertRoom({ path }: DataFolder, partitions: number): void {
  const trial = join(path, 'room.new');
  try {
    writeDurably(trial, Buffer.alloc(partitions * newPartitionBytes));
  } finally {
    rmSync(trial, { force: true });
  }
}

/** Throws an Error with a sentence when there is no room for a second copy of the partitions. */
export function assertRoomBeside(folder: DataFolder, partitions: number, freeBytes: number): void {
  const taken = partitionsIn(folder).reduce((sum, number) => sum + statSync(fileOf(folder, number)).size, 0);
  const needed = taken + partitions * newPartitionBytes;
  if (freeBytes >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
  throw new Error(
    `There is not enough room for the new partitions beside the old ones: ${megabytes(needed)} MB are needed, ${megabytes(freeBytes)} MB are free.`,
  );
}

function fileOf(folder: DataFolder, partition: number): string {
  return join(folder.path, partitionFileName(folder, partition));
}

/** Also syncs the names of its files, which LMDB does not. */
export function makePartition(folder: DataFolder, partition: number): PartitionLog {
  const path = pathOf(folder, partition);
  mkdirSync(path, { mode: 0o700 });
  const log = openPartition(folder, partition);
  syncFolder(path);
  return log;
}

/** A new partition with the entries of another, in a file without free pages. Nobody may write the other meanwhile. */
export async function copyCompacted(folder: DataFolder, partition: number, from: HeldFile): Promise<void> {
  const path = pathOf(folder, partition);
  mkdirSync(path, { mode: 0o700 });
  await from.copyCompacted(path);
  const file = fileOf(folder, partition);
  chmodSync(file, 0o600);
  syncFile(file);
  syncFolder(path);
}

export function removePartitions(folder: DataFolder): void {
  for (const number of partitionsIn(folder)) rmSync(pathOf(folder, number), { recursive: true, force: true });
}

/**
 * LMDB maps its reader table from a sparse file: on a full disk the first access would end the process with SIGBUS.
 * Nobody has the file open, because this process holds the folder.
 */
function reserveLockFile(file: string): void {
  const stored = statSync(file, { throwIfNoEntry: false });
  if (stored !== undefined && stored.blocks * 512 >= stored.size && stored.size >= lockFileBytes) return;
  rmSync(file, { force: true });
  writeDurably(file, Buffer.alloc(lockFileBytes));
}

/** For code that writes before the actors do. */
export function openLog(log: PartitionLog, epoch: number): Promise<void> {
  return new Promise((resolve, reject) => {
    log.open(epoch, (answer) => (isRefusal(answer) ? reject(answer) : resolve()));
  });
}

/** Settles when the log's reader shows the batch. Rejects with the log's refusal. */
export async function append(log: Pick<PartitionLog, 'append' | 'reader'>, batch: LogBatch): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    log.append(batch, (error) => (error === undefined ? resolve() : reject(error)));
  });
  log.reader.refresh();
}
