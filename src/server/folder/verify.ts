/**
 * Verifies what the partitions of a folder say about themselves and each other, against the manifest: a partition that
 * is missing, foreign, misplaced or older than the rest is found before anything is served from it.
 */

import { raw } from '../../runtime/codec.ts';
import { isAnotherFrame } from '../../runtime/partition/frame-record.ts';
import { decodeRecord, hasUndecodable } from '../../runtime/partition/undecodable.ts';
import type { Keyspace } from '../../runtime/storage/keyspace.ts';
import type { PartitionLog } from '../../runtime/storage/log.ts';
import {
  countedEpoch,
  cursors,
  identity,
  meta,
  outbox,
  type PartitionIdentity,
  type PartitionMeta,
  startingMeta,
  streamPlace,
} from '../../runtime/storage/machine.ts';
import { type Reader, SnapshotReader } from '../../runtime/storage/reader.ts';
import { partitionName } from '../partitions.ts';
import { type DataFolder, noData } from './data-folder.ts';
import { type FolderManifest, type FormerFolderManifest, folderFormat, isMade } from './manifest.ts';
import { damaged, partitionFileName, partitionsIn } from './partition-files.ts';

/** What can be read of a partition. */
type Readable = Pick<PartitionLog, 'reader'>;

export function readerOf(log: Readable): Reader {
  return new SnapshotReader(log.reader);
}

/** For commands that need data. Throws an Error with a sentence where the folder has none. */
export function assertMade(
  folder: DataFolder,
  manifest: FolderManifest | FormerFolderManifest | undefined,
): asserts manifest is FolderManifest | FormerFolderManifest {
  if (isMade(manifest)) return;
  if (manifest === undefined && partitionsIn(folder).length > 0) throw damaged(folder, manifestMissing);
  throw noData(folder);
}

export const manifestMissing = 'manifest.json is missing';

/** The lowest format of the entries of a partition. One of format 2 does not tell it. */
export function lowestFormat(logs: readonly Readable[]): number {
  return Math.min(...logs.map((log) => readerOf(log).get(identity, [0])?.format ?? 2));
}

/** Whether the entries of all partitions have the format of this version. */
export function areCurrent(logs: readonly Readable[]): boolean {
  return lowestFormat(logs) >= folderFormat;
}

/** Why this version must not go on with a partition that a newer one has migrated, or begun to; undefined where it may. */
export function newerFormatOf(log: Readable): string | undefined {
  const { format, migrated } = readerOf(log).get(identity, [0]) ?? { format: 0 };
  if (format < folderFormat || (format === folderFormat && migrated === undefined)) return undefined;
  const newer = migrated === undefined ? `format ${format}` : `a format after ${format} since a migration began`;
  return `has ${newer}, which this version cannot read: it reads formats 2 to ${folderFormat}. Start the version that wrote it, or a newer one.`;
}

/** What partitions know of each other's messages. They have the current format. Throws an Error with a sentence. */
export function verifyChannels(folder: DataFolder, logs: readonly Readable[]): void {
  const found = contradictionOf(folder, logs);
  if (found === undefined) return;
  const { older, newer } = found;
  if ([older, newer].some((number) => hasFollowed(folder, number, readerOf(logs[number]!))))
    throw new Error(
      `The partitions of the data folder ${folder.path} are of different moments, because each has followed its log for itself: ${partitionFileName(folder, older)} is older than ${partitionFileName(folder, newer)}. Nothing was changed. With MURMURATION_CLUSTER the server brings them together; where the logs are lost, restore a backup.`,
    );
  throw damaged(folder, `${partitionFileName(folder, older)} is older than ${partitionFileName(folder, newer)}`);
}

/** Two partitions that are not of one moment; undefined where all are. Throws an Error with a sentence for damage. */
export function contradictionOf(
  folder: DataFolder,
  logs: readonly Readable[],
): { readonly older: number; readonly newer: number } | undefined {
  const readers = logs.map(readerOf);
  for (const [number, reader] of readers.entries()) {
    for (const [other, peer] of readers.entries()) {
      const older = other === number ? undefined : olderOf(folder, [number, reader], [other, peer]);
      if (older !== undefined) return { older, newer: older === number ? other : number };
    }
  }
  return undefined;
}

/** A partition beyond the last one belongs to another manifest. Throws an Error with a sentence. */
export function assertNoMore(folder: DataFolder, partitions: number): void {
  const more = partitionsIn(folder).find((number) => number >= partitions);
  if (more === undefined) return;
  throw damaged(
    folder,
    `manifest.json tells of ${partitions} partitions, and there is a ${partitionName(more, folder.generation)} too`,
  );
}

/** The latest start in partitions that have followed their logs, of which the manifest need not know; 0 where none has. */
export function newestFollowed(folder: DataFolder, logs: readonly Readable[]): number {
  const epochs = logs.map((log, number) => {
    const reader = readerOf(log);
    if (!hasFollowed(folder, number, reader)) return 0;
    const itself = stored(folder, number, reader, identity, [0]);
    return Math.max(itself?.epoch ?? 0, countedEpoch(countersOf(folder, number, reader).epoch));
  });
  return Math.max(0, ...epochs);
}

/** Whether everything in a partition came from its log. */
function hasFollowed(folder: DataFolder, number: number, reader: Reader): boolean {
  const place = stored(folder, number, reader, streamPlace, [0]);
  const { commit, epoch } = countersOf(folder, number, reader);
  return place !== undefined && place.commit === commit && place.epoch === epoch;
}

function countersOf(folder: DataFolder, number: number, reader: Reader): PartitionMeta {
  return stored(folder, number, reader, meta, [0]) ?? startingMeta;
}

/**
 * What partitions say about themselves. None may have been in a later start than `newestMax`, unless it has followed its log: an
 * interrupted start may have reached some of them and not the manifest. Throws an Error with a sentence.
 */
export function verifyIdentities(
  folder: DataFolder,
  manifest: FolderManifest,
  logs: readonly Readable[],
  newestMax = manifest.epoch + 1,
): void {
  const readers = logs.map(readerOf);
  const found = readers.map((reader, number) => {
    const itself = stored(folder, number, reader, identity, [0]);
    if (itself === undefined && manifest.adopting === true) return manifest;
    if (itself === undefined) throw damaged(folder, `${partitionFileName(folder, number)} is not one of this folder`);
    verifyPlace(folder, manifest, number, itself);
    return itself;
  });
  for (const [number, log] of logs.entries()) {
    const newer = newerFormatOf(log);
    if (newer !== undefined) throw new Error(`${partitionFileName(folder, number)} ${newer}`);
  }
  const isNewer = ({ epoch }: { readonly epoch: number }, number: number) =>
    epoch > newestMax && !hasFollowed(folder, number, readers[number]!);
  if (found.some(isNewer)) throw damaged(folder, 'manifest.json is older than the partitions');
  for (const [number, { epoch }] of found.entries()) {
    const { commit } = countersOf(folder, number, readers[number]!);
    if (epoch < manifest.epoch || commit < (manifest.commits[number] ?? 0))
      throw damaged(folder, `${partitionFileName(folder, number)} is older than the rest`);
  }
}

/** A required record. Throws an Error with a sentence where it cannot be decoded. */
function stored<Value>(
  folder: DataFolder,
  number: number,
  reader: Reader,
  space: Keyspace<[number], Value>,
  key: [number],
): Value | undefined {
  const bytes = reader.get({ ...space, value: raw }, key);
  try {
    return bytes === undefined ? undefined : decodeRecord(space, bytes);
  } catch (cause) {
    throw damaged(folder, `${partitionFileName(folder, number)} ${hasUndecodable(space)}`, cause);
  }
}

function verifyPlace(folder: DataFolder, manifest: FolderManifest, number: number, stored: PartitionIdentity): void {
  const name = partitionFileName(folder, number);
  if (stored.folder !== manifest.id) throw damaged(folder, `${name} belongs to another data folder`);
  if (stored.number !== number) throw damaged(folder, `${name} is in the place of partition ${stored.number}`);
  if (stored.partitions !== manifest.partitions) {
    throw damaged(
      folder,
      `${name} is one of ${stored.partitions} partitions, and manifest.json tells of ${manifest.partitions}`,
    );
  }
}

/**
 * The receiver must not know frames that the sender has not sent, nor the sender have dropped frames that the receiver
 * lacks.
 */
function olderOf(
  folder: DataFolder,
  [sourceNumber, source]: readonly [number, Reader],
  [destinationNumber, destination]: readonly [number, Reader],
): number | undefined {
  const cursor = stored(folder, destinationNumber, destination, cursors, [sourceNumber]);
  const { sequence: taken, digest } = cursor ?? { sequence: 0, digest: undefined };
  const first = outermostFrame(source, destinationNumber, false);
  const last = outermostFrame(source, destinationNumber, true) ?? 0;
  const sent = source.get(outbox, [destinationNumber, taken]);
  const next = source.get(outbox, [destinationNumber, taken + 1]);
  const differs = sent !== undefined && digest !== undefined && isAnotherFrame(sent, next, digest);
  const hasLost = first !== undefined && taken + 1 < first;
  if (taken > last || differs) return sourceNumber;
  return hasLost ? destinationNumber : undefined;
}

function outermostFrame(reader: Reader, destination: number, reverse: boolean): number | undefined {
  for (const { key } of reader.range(outbox, [destination], { reverse, limit: 1 })) return key[1];
  return undefined;
}
