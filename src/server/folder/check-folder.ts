/** `murmuration check`: everything that can be found wrong with the data folder of a stopped server. Changes nothing. */
import { join } from 'node:path';
import { keyspaces, rules } from '../../actors/catalogue.ts';
import { evenPlacement } from '../../runtime/placement.ts';
import { checkPartition } from '../../runtime/storage/check.ts';
import type { AnyKeyspace } from '../../runtime/storage/keyspace.ts';
import { damageOfLmdbFile } from '../../runtime/storage/lmdb-file.ts';
import { machineKeyspaces } from '../../runtime/storage/machine.ts';
import type { DataFolder } from './data-folder.ts';
import { isFormer, readManifest } from './manifest.ts';
import { assertWhole, damaged, openPartition, partitionFileName } from './partition-files.ts';
import { areCurrent, assertNoMore, verifyChannels, verifyIdentities } from './verify.ts';

export interface FolderCheck {
  readonly sound: boolean;
  readonly lines: readonly string[];
}

/** The caller has the folder's lock. Rejects with an Error whose message is a sentence where it cannot be looked at. */
export async function checkFolder(folder: DataFolder): Promise<FolderCheck> {
  const manifest = readManifest(folder);
  if (manifest === undefined) throw new Error(`There is no data folder ${folder.path}.`);
  if (isFormer(manifest))
    throw new Error(`The data folder ${folder.path} is of an earlier format: start the server once.`);
  const { partitions } = manifest;
  assertNoMore(folder, partitions);
  for (let number = 0; number < partitions; number += 1) assertWholeInEveryPage(folder, number);
  const logs = Array.from({ length: partitions }, (_, number) => openPartition(folder, number));
  try {
    verifyIdentities(folder, manifest, logs);
    if (!areCurrent(logs)) throw new Error(`The data folder ${folder.path} is being migrated: start the server once.`);
    verifyChannels(folder, logs);
    const placement = evenPlacement(partitions);
    const all = [...(machineKeyspaces as unknown as readonly AnyKeyspace[]), ...keyspaces];
    const outcomes = logs.map(({ reader }, partition) =>
      checkPartition({ partition, placement, reader, keyspaces: all, rules }),
    );
    const wrong = outcomes.reduce((sum, outcome) => sum + outcome.wrong, 0);
    const lines = outcomes.flatMap(({ entries, problems }, partition) => [
      ...problems.map((problem) => `partition-${partition}: ${problem}`),
      `partition-${partition}: ${entries} entries looked at.`,
    ]);
    return { sound: wrong === 0, lines: [...lines, wrong === 0 ? 'Nothing is wrong.' : `Wrong: ${wrong}`] };
  } finally {
    await Promise.all(logs.map((log) => log.close()));
  }
}

/** Where a start reads the upper pages of a file, this reads all. */
function assertWholeInEveryPage(folder: DataFolder, partition: number): void {
  assertWhole(folder, partition);
  const name = partitionFileName(partition);
  const damage = damageOfLmdbFile(join(folder.path, name));
  if (damage !== undefined) throw damaged(folder, `${name} ${damage}`);
}
