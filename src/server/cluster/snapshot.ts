/**
 * `murmuration cluster snapshot`: a copy of the files of a node in a place that all nodes reach, behind which the logs are
 * truncated. It is a backup without media, of partitions that each follow their log.
 *
 * INVARIANT the logs keep everything behind the second newest snapshot, which was read back after it was written, and everything
 * that a node which stands by has not read yet.
 */
import type { Options } from '../../options/table.ts';
import { keptFrom } from '../../runtime/cluster/kept-records.ts';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { backUp, megabytes } from '../backup/backup.ts';
import type { BackupManifest } from '../backup/backup-manifest.ts';
import { type LongCommand, restoreFrom } from '../backup/commands.ts';
import { openBeside } from '../backup/moment.ts';
import { openPlace } from '../backup/open-place.ts';
import { Pace } from '../backup/pace.ts';
import type { Place } from '../backup/place.ts';
import { findDataFolder } from '../folder/data-folder.ts';
import { foundRegister, withServers } from './attend.ts';
import { addressOf } from './cluster-logs.ts';
import { Nodes } from './nodes.ts';
import { partitionStream } from './partition-stream.ts';
import { logsGoOnAt, snapshotsIn } from './snapshots.ts';

/** Two behind which the logs are truncated, and one more. */
const snapshotsKept = 3;
/** A server beside it goes first. */
const bytesPerSecond = 32_000_000;

/** Returns lines for the operator. Rejects with an Error whose message is a sentence. */
export async function makeSnapshot({ options, signal, show, complain }: LongCommand): Promise<string[]> {
  const named = options.clusterSnapshots;
  const address = addressOf(options);
  if (address === undefined || named === undefined) throw new Error(notConfigured);
  const folder = findDataFolder(options.dataDirectory);
  const place = openPlace(named, options);
  try {
    return await withServers(address, async (client) => {
      const { registered } = await foundRegister(client);
      const nodes = await Nodes.open(client, options.clusterReplicas);
      const release = await nodes.claimSnapshot();
      if (release === undefined) throw new Error('Another node is making a snapshot.');
      try {
        const pace = new Pace(bytesPerSecond, signal);
        const now = systemClock.now();
        const work = { path: folder.path, place, blobs: undefined, keep: snapshotsKept, pace, now, show };
        const { name } = await openBeside(folder, (opened) => backUp({ ...work, opened }), complain, true);
        return [`Snapshot ${name} in ${place.name}.`, await truncateLogs(client, nodes, place, registered.id)];
      } finally {
        await release();
      }
    });
  } finally {
    await place.close();
  }
}

const notConfigured =
  'Say where the logs and the snapshots are: MURMURATION_CLUSTER and MURMURATION_CLUSTER_SNAPSHOTS, a folder that all nodes reach, or s3://BUCKET/PREFIX.';

/** Returns a sentence. */
async function truncateLogs(client: NatsClient, nodes: Nodes, place: Place, id: string): Promise<string> {
  const second = (await snapshotsIn(place, id)).at(-2);
  // Logs that were made anew have other positions than a snapshot of before.
  if (second === undefined || !(await logsGoOnAt(client, second.manifest)))
    return 'The logs are truncated once there is another snapshot.';
  const standing = (await nodes.list()).filter(({ serves }) => !serves);
  let bytes = 0;
  for (const [partition, { sequence = 0 }] of second.manifest.partitions.entries()) {
    const read = standing.map(({ sequences }) => sequences[partition] ?? 0);
    bytes += await truncateLog(client, partition, keptFrom(sequence, read));
  }
  return `The logs begin at ${second.name} now: ${megabytes(bytes)} MB fewer.`;
}

/** Returns how many bytes there are fewer. The record from which a copy goes on stays. */
async function truncateLog(client: NatsClient, partition: number, from: number): Promise<number> {
  const stream = partitionStream(client, partition);
  const { state: before } = await stream.info();
  if (from <= before.first_seq) return 0;
  await stream.truncate(from);
  return before.bytes - (await stream.info()).state.bytes;
}

/** `murmuration cluster join`. Returns lines for the operator; rejects with an Error whose message is a sentence. */
export async function joinFromSnapshot(command: LongCommand): Promise<string[]> {
  const { options } = command;
  const named = options.clusterSnapshots;
  const address = addressOf(options);
  if (address === undefined || named === undefined) throw new Error(notConfigured);
  const { follows, newest } = await withServers(address, async (client) => {
    const { id } = (await foundRegister(client)).registered;
    return { follows: id, newest: await newestFitting(client, named, options, id) };
  });
  const { name, manifest } = await restoreFrom(named, options.dataDirectory, { follows, name: newest }, command);
  return [
    `${options.dataDirectory} is the snapshot ${name} of ${timeOf(manifest)}. Start the server: it follows the logs from there.`,
  ];
}

/** Its name. Rejects with an Error whose message is a sentence where there is none. */
async function newestFitting(client: NatsClient, named: string, options: Options, id: string): Promise<string> {
  const place = openPlace(named, options);
  try {
    for (const { name, manifest } of (await snapshotsIn(place, id)).reverse())
      if (await logsGoOnAt(client, manifest)) return name;
    throw new Error(
      `No snapshot in ${place.name} is one with which the logs go on: run murmuration cluster snapshot on a node first.`,
    );
  } finally {
    await place.close();
  }
}

function timeOf({ at }: BackupManifest): string {
  return new Date(at).toISOString();
}
