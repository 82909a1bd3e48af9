/** Opens and prepares the data folder of a node that holds the lease of its cluster. */
import { type NatsClient, sharedAccess } from '../../runtime/cluster/nats-access.ts';
import type { StreamLog } from '../../runtime/cluster/stream-log.ts';
import { LogContradiction, LogRefusal } from '../../runtime/storage/log.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import type { FolderManifest } from '../folder/manifest.ts';
import { reserveLockOf } from '../folder/partition-files.ts';
import { type FolderWish, prepareFolder } from '../folder/prepare.ts';
import { partitionMapBytes, partitionPath } from '../partitions.ts';
import { sentenceOf } from './attend.ts';
import { clusterLog } from './cluster-logs.ts';

/** What a node has that holds the lease. */
export interface FollowedLogs {
  /** In which the logs are opened. */
  readonly epoch: number;
  /** Of all partitions, up to date with their streams. Whoever takes them closes them. */
  handLogs(): readonly StreamLog[];
}

/** As prepareFolder. In a cluster with the logs that the node has followed, and is up to date with. */
export async function prepareFolderOf(
  folder: DataFolder,
  wish: Omit<FolderWish, 'epoch'>,
  followed: FollowedLogs | undefined,
  tell: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<FolderManifest> {
  if (followed === undefined) return await prepareFolder(folder, wish, tell, signal);
  const { epoch } = followed;
  let logs: readonly StreamLog[] | undefined;
  const open = (_: DataFolder, partition: number) => {
    logs ??= followed.handLogs();
    return logs[partition]!;
  };
  return await prepareFolder(folder, { ...wish, epoch, arePagesRead: true }, tell, signal, open);
}

/** The logs of all partitions, to follow them. Their files are whole. The connection is not theirs. */
export function openFollowing(client: NatsClient, folder: DataFolder, partitions: number): StreamLog[] {
  const access = sharedAccess(client);
  return Array.from({ length: partitions }, (_, partition) => {
    reserveLockOf(folder, partition);
    const path = partitionPath(folder.path, partition, folder.generation);
    return clusterLog(access, partition, { path, mapBytes: partitionMapBytes });
  });
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
