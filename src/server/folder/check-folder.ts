/** `murmuration check`: finds everything wrong with the data folder of a stopped server. Changes nothing. */
import { keyspaces, rules } from '../../actors/catalogue.ts';
import { evenPlacement } from '../../runtime/placement.ts';
import { checkServer, type ServerCheck } from '../../runtime/storage/check-server.ts';
import type { PartitionLog } from '../../runtime/storage/log.ts';
import { type BlobsCheck, checkBlobs } from './check-blobs.ts';
import type { DataFolder } from './data-folder.ts';
import { type FolderManifest, isFormer, notMigrated, partitionsOf, readManifest } from './manifest.ts';
import { assertWhole, openPartition, openPartitionToRead, otherGenerations } from './partition-files.ts';
import { areCurrent, assertMade, assertNoMore, verifyChannels, verifyIdentities } from './verify.ts';

export interface FolderCheck {
  readonly sound: boolean;
  /** Whether no message is in an inbox or on its way to another partition. */
  readonly isDrained: boolean;
  readonly lines: readonly string[];
}

export interface FolderCheckOptions {
  /** The folder is on a file system that cannot be written. */
  readonly isReadOnly?: boolean;
  /** Some media may be in a bucket. */
  readonly hasBucket?: boolean;
}

/**
 * The caller holds the folder's lock, unless the folder cannot be written. Rejects with an Error whose message is a sentence
 * where the folder cannot be checked.
 */
export async function checkFolder(
  opened: DataFolder,
  { isReadOnly = false, hasBucket = false }: FolderCheckOptions = {},
): Promise<FolderCheck> {
  const manifest = readManifest(opened);
  assertMade(opened, manifest);
  if (isFormer(manifest)) throw notMigrated(opened);
  const folder = partitionsOf(opened, manifest);
  const { partitions } = manifest;
  assertNoMore(folder, partitions);
  for (let number = 0; number < partitions; number += 1) assertWhole(folder, number, 'every');
  const openLog = isReadOnly ? openPartitionToRead : openPartition;
  const logs = Array.from({ length: partitions }, (_, number) => openLog(folder, number));
  try {
    const found = await checkBlobs(
      folder.path,
      logs.map(({ reader }) => reader),
      !hasBucket,
    );
    return told(checkOpened(folder, manifest, logs), found, otherGenerations(folder));
  } finally {
    await Promise.all(logs.map((log) => log.close()));
  }
}

function checkOpened(folder: DataFolder, manifest: FolderManifest, logs: readonly PartitionLog[]): ServerCheck {
  verifyIdentities(folder, manifest, logs);
  if (!areCurrent(logs)) throw notMigrated(folder);
  verifyChannels(folder, logs);
  const placement = evenPlacement(manifest.partitions);
  return checkServer({ placement, readers: logs.map(({ reader }) => reader), keyspaces, rules });
}

function told(
  { partitions, messagesUnderWay, isDrained }: ServerCheck,
  blobs: BlobsCheck,
  left: readonly string[],
): FolderCheck {
  const wrong = partitions.reduce((sum, outcome) => sum + outcome.wrong, 0) + blobs.missing;
  const lines = partitions.flatMap(({ entries, problems }, partition) => [
    ...problems.map((problem) => `partition-${partition}: ${problem}`),
    `partition-${partition}: ${entries} entries looked at.`,
  ]);
  lines.push(...blobs.lines);
  if (messagesUnderWay > 0)
    lines.push(`Messages under way: ${messagesUnderWay}. What actors know of each other was not compared.`);
  if (left.length > 0)
    lines.push(`Left behind by an interrupted repartition, removed by the next start: ${left.join(', ')}.`);
  return { sound: wrong === 0, isDrained, lines: [...lines, wrong === 0 ? 'Nothing is wrong.' : `Wrong: ${wrong}`] };
}
