/** The snapshots that nodes have made, and whether the logs go on with them. */
import type { Options } from '../../options/table.ts';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';
import { digestOf } from '../../runtime/cluster/stream-record.ts';
import { type BackupManifest, backupsIn, readBackup } from '../backup/backup-manifest.ts';
import { openPlace } from '../backup/open-place.ts';
import type { Place } from '../backup/place.ts';
import { partitionStream } from './partition-stream.ts';
import type { PlaceOfCopy } from './register.ts';

export interface Snapshot {
  readonly name: string;
  readonly manifest: BackupManifest;
}

/** Of this folder, the oldest first. */
export async function snapshotsIn(place: Place, id: string): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  for (const { name, isWhole } of await backupsIn(place)) {
    const manifest = isWhole ? await readBackup(place, name) : undefined;
    if (manifest?.folder.id === id) found.push({ name, manifest });
  }
  return found;
}

/** Where the partitions of each snapshot stand. None where no place for them is configured. */
export async function snapshotsOf(
  options: Options,
  id: string,
): Promise<{ readonly name: string; readonly places: readonly PlaceOfCopy[] }[]> {
  if (options.clusterSnapshots === undefined) return [];
  const place = openPlace(options.clusterSnapshots, options);
  try {
    const found = await snapshotsIn(place, id);
    return found.flatMap(({ name, manifest }) => {
      const places = manifest.partitions.map(placeIn);
      return places.every((known) => known !== undefined) ? [{ name, places }] : [];
    });
  } finally {
    await place.close();
  }
}

function placeIn({ sequence, digest, commit, epoch }: BackupManifest['partitions'][number]): PlaceOfCopy | undefined {
  const isKnown = sequence !== undefined && digest !== undefined && commit !== undefined && epoch !== undefined;
  return isKnown ? { sequence, digest, commit, epoch } : undefined;
}

/** Whether every log has the record with which the snapshot ends. */
export async function logsGoOnAt(client: NatsClient, { partitions }: BackupManifest): Promise<boolean> {
  for (const [partition, { sequence, digest }] of partitions.entries()) {
    const stored = sequence === undefined ? undefined : await partitionStream(client, partition).get(sequence);
    if (stored === undefined) return false;
    if (digest !== undefined && Buffer.from(digestOf(stored.bytes)).toString('hex') !== digest) return false;
  }
  return true;
}
