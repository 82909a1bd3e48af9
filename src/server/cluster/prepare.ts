/** Opens and prepares the data folder of a node that holds the lease of its cluster. */
import type { Options } from '../../options/table.ts';
import type { StreamLog } from '../../runtime/cluster/stream-log.ts';
import { LogContradiction, LogRefusal } from '../../runtime/storage/log.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import type { FolderManifest } from '../folder/manifest.ts';
import { reserveLockOf } from '../folder/partition-files.ts';
import { type FolderWish, prepareFolder } from '../folder/prepare.ts';
import { partitionMapBytes, partitionPath } from '../partitions.ts';
import { sentenceOf } from './attend.ts';
import { addressOf, clusterLog } from './cluster-logs.ts';

/** As prepareFolder. In a cluster each partition is up to date with its log before anything is verified. */
export async function prepareFolderOf(
  options: Options,
  folder: DataFolder,
  wish: FolderWish,
  tell: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<FolderManifest> {
  if (options.cluster === undefined) return await prepareFolder(folder, wish, tell, signal);
  return await prepareFolder(folder, wish, tell, signal, async (opened, partition) => {
    const log = openView(options, opened, partition);
    try {
      await log.catchUp();
      return log;
    } catch (error) {
      await log.close();
      throw sentenceOfPartition(partition, error);
    }
  });
}

/** The logs of all partitions, to follow them. Their files are whole. */
export function openFollowing(options: Options, folder: DataFolder, partitions: number): StreamLog[] {
  return Array.from({ length: partitions }, (_, partition) => openView(options, folder, partition));
}

function openView(options: Options, folder: DataFolder, partition: number): StreamLog {
  reserveLockOf(folder, partition);
  const path = partitionPath(folder.path, partition, folder.generation);
  return clusterLog(addressOf(options)!, partition, { path, mapBytes: partitionMapBytes });
}

export function sentenceOfPartition(partition: number, error: unknown): Error {
  if (error instanceof LogRefusal && error.reason === 'truncated')
    return new Error(
      `Partition ${partition} ends before its log begins: move the data folder away, and run murmuration cluster join.`,
      { cause: error },
    );
  const isContradiction = error instanceof LogRefusal && error.cause instanceof LogContradiction;
  const todo = isContradiction ? ' Stop all nodes, and run murmuration cluster repair on each.' : '';
  return new Error(`Partition ${partition} cannot go on with its log. ${sentenceOf(error)}${todo}`, { cause: error });
}
