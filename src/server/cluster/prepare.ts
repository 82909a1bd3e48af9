/** The data folder of a server in a cluster: brought up to date from the logs, then prepared like any other. */
import type { Options } from '../../options/table.ts';
import type { StreamLog } from '../../runtime/cluster/stream-log.ts';
import { identity } from '../../runtime/storage/machine.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import {
  type FolderManifest,
  isFormer,
  isMade,
  notMigrated,
  partitionsOf,
  readManifest,
  writeManifest,
} from '../folder/manifest.ts';
import { assertWhole, reserveLockOf } from '../folder/partition-files.ts';
import { type FolderWish, prepareFolder, withPartitions } from '../folder/prepare.ts';
import { readerOf } from '../folder/verify.ts';
import { partitionMapBytes, partitionPath } from '../partitions.ts';
import { assertAttended, sentenceOf } from './attend.ts';
import { addressOf, clusterLog } from './cluster-logs.ts';

/**
 * Brings a folder up to date before anything is read from it: what other folders of this server have served meanwhile is in
 * the logs. The caller holds the folder's lock. Does nothing for a server on its own; rejects with an Error whose message is
 * a sentence.
 */
export async function joinCluster(options: Options, opened: DataFolder): Promise<void> {
  const address = addressOf(options);
  if (address === undefined) return;
  const manifest = readManifest(opened);
  if (!isMade(manifest))
    throw new Error(
      `The data folder ${opened.path} is new. Start the server without MURMURATION_CLUSTER once, stop it, and run: murmuration cluster init`,
    );
  if (isFormer(manifest)) throw notMigrated(opened);
  await assertAttended(address, options.clusterReplicas, manifest);
  const folder = partitionsOf(opened, manifest);
  for (let number = 0; number < manifest.partitions; number += 1) assertWhole(folder, number, 'upper');
  const open = opening(options);
  const epochs = await withPartitions(folder, manifest.partitions, open, async (logs) =>
    logs.map((log) => readerOf(log).get(identity, [0])?.epoch ?? 0),
  );
  // An interrupted start may have reached some partitions only.
  const epoch = Math.min(...epochs);
  if (epoch > manifest.epoch) writeManifest(opened, { ...manifest, epoch, commits: [] });
}

/** As prepareFolder. */
export async function prepareFolderOf(
  options: Options,
  folder: DataFolder,
  wish: FolderWish,
  tell: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<FolderManifest> {
  return await prepareFolder(folder, wish, tell, signal, options.cluster === undefined ? undefined : opening(options));
}

function opening(options: Options) {
  const address = addressOf(options)!;
  return async (folder: DataFolder, partition: number): Promise<StreamLog> => {
    reserveLockOf(folder, partition);
    const path = partitionPath(folder.path, partition, folder.generation);
    const log = clusterLog(address, partition, { path, mapBytes: partitionMapBytes });
    try {
      await log.catchUp();
      return log;
    } catch (error) {
      await log.close();
      throw new Error(`Partition ${partition} cannot go on with its log. ${sentenceOf(error)}`, { cause: error });
    }
  };
}
