/**
 * `murmuration cluster init`: makes a log of each partition of a stopped server, which begins with the state that the
 * partition has.
 *
 * INVARIANT the register names the folder after everything else: until then no server starts with these logs, and the next
 * call makes them anew.
 */
import type { Options } from '../../options/table.ts';
import { assertServersKeep, createStream } from '../../runtime/cluster/nats-servers.ts';
import { megabytes } from '../backup/backup.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import { isFormer, notMigrated, partitionsOf, readManifest } from '../folder/manifest.ts';
import { assertWhole, openPartition } from '../folder/partition-files.ts';
import { withPartitions } from '../folder/prepare.ts';
import { areCurrent, assertMade, newestFollowed, verifyChannels, verifyIdentities } from '../folder/verify.ts';
import { takeAlone } from './alone.ts';
import { withServers } from './attend.ts';
import { addressOf } from './cluster-logs.ts';
import { partitionStream } from './partition-stream.ts';
import { Register } from './register.ts';
import { assertMediaMoved, assertMediaShared, assertSameMedia } from './shared-media.ts';
import { Upload } from './upload.ts';

export interface InitOptions {
  readonly options: Options;
  /** Logs that are there are removed first. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
  show(line: string): void;
}

const hasFollowedOthers =
  'This folder has followed logs that the NATS servers do not have. Another copy may have more of them: run murmuration cluster repair on each node. With --replace new logs are made of this folder all the same.';

/** The caller holds the folder's lock. Returns lines for the operator; rejects with an Error whose message is a sentence. */
export async function initCluster(
  opened: DataFolder,
  { options, replace, signal, show }: InitOptions,
): Promise<string[]> {
  const address = addressOf(options);
  if (address === undefined)
    throw new Error('Say where the NATS servers are: MURMURATION_CLUSTER=nats://user:password@one.example.org,…');
  const manifest = readManifest(opened);
  assertMade(opened, manifest);
  if (isFormer(manifest)) throw notMigrated(opened);
  assertMediaShared(options);
  await assertMediaMoved(opened.path);
  const folder = partitionsOf(opened, manifest);
  for (let number = 0; number < manifest.partitions; number += 1) assertWhole(folder, number, 'every');
  return await withServers(address, async (client) => {
    await assertServersKeep(client, options.clusterReplicas);
    const register = await Register.make(client, options.clusterReplicas);
    const registered = await register.read();
    if (registered !== undefined && !replace) {
      const whose = registered.id === manifest.id ? 'this server' : 'another server';
      throw new Error(`The NATS servers have logs of ${whose} already. With --replace they are removed first.`);
    }
    const lease = await takeAlone(register, manifest, options.origin);
    const assertMay = () => lease.assertHeld();
    try {
      await register.clear();
      await assertSameMedia(register, options);
      // A folder may have followed logs that are gone now.
      let { epoch } = manifest;
      const bytes = await withPartitions(folder, manifest.partitions, openPartition, async (logs) => {
        verifyIdentities(folder, manifest, logs);
        if (!areCurrent(logs)) throw notMigrated(opened);
        verifyChannels(folder, logs);
        const followed = newestFollowed(folder, logs);
        // What an interrupted call has made has followed nobody yet.
        const isOfCluster = followed > 0 && (manifest.session !== undefined || followed > manifest.epoch);
        if (isOfCluster && !replace) throw new Error(hasFollowedOthers);
        epoch = Math.max(epoch, followed);
        let sum = 0;
        for (const [partition, log] of logs.entries()) {
          assertMay();
          await createStream(client, partition, options.clusterReplicas);
          const upload = new Upload(partitionStream(client, partition), partition, { epoch, assertMay });
          sum += await upload.run(log, signal, (part) =>
            show(`Partition ${partition + 1} of ${manifest.partitions}: ${megabytes(part)} MB`),
          );
        }
        return sum;
      });
      assertMay();
      await register.write({ ...manifest, epoch, generation: manifest.generation ?? 0 });
      return [
        `The NATS servers keep the logs of ${manifest.partitions} partitions from now on: ${megabytes(bytes)} MB.`,
      ];
    } finally {
      await lease.giveBack();
    }
  });
}
