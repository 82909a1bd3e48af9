/**
 * `murmuration repartition N`: moves the slots of a stopped server to another number of partitions.
 *
 * INVARIANTS
 * 1. The new partitions are written beside the old ones, and checked, before the manifest names them: until then the
 *    folder is the old one, afterwards the new one, whenever this is interrupted.
 * 2. Refused for a folder that is unsound, that lacks room, or whose messages could not be delivered first.
 */
import { actors, keyspaces, rules } from '../../actors/catalogue.ts';
import { relocations } from '../../actors/relocations.ts';
import { optionLimits } from '../../options/limits.ts';
import { evenPlacement } from '../../runtime/placement.ts';
import { checkServer } from '../../runtime/storage/check-server.ts';
import { syncFolder } from '../../runtime/storage/durable-files.ts';
import type { PartitionLog } from '../../runtime/storage/log.ts';
import type { EntryToPut } from '../../runtime/storage/relocation.ts';
import { repartitioned } from '../../runtime/storage/repartition.ts';
import { checkFolder } from './check-folder.ts';
import type { DataFolder } from './data-folder.ts';
import {
  type FolderManifest,
  folderFormat,
  isFormer,
  notMigrated,
  partitionsOf,
  readManifest,
  writeManifest,
} from './manifest.ts';
import {
  append,
  assertRoomBeside,
  makePartition,
  openLog,
  openPartition,
  removeOtherGenerations,
  removePartitions,
} from './partition-files.ts';
import { commitsOf, reasonOf, withPartitions } from './prepare.ts';
import { assertMade } from './verify.ts';

const entriesPerCommit = 5_000;
const bytesPerCommit = 8 * 1024 * 1024;

export interface RepartitionPorts {
  /** Some media may be in a bucket, and are not missed in the folder. */
  readonly hasBucket?: boolean;
  /** Of the file system of the folder. */
  freeBytes(): number;
  /** Runs the actors until no message waits. */
  deliverMessages(): Promise<void>;
}

/**
 * The caller holds the folder's lock. Returns lines for the operator; rejects with an Error whose message is a
 * sentence, and then the folder is unchanged.
 */
export async function repartitionFolder(
  opened: DataFolder,
  partitions: number,
  { freeBytes, deliverMessages, hasBucket = false }: RepartitionPorts,
): Promise<string[]> {
  if (partitions < 1 || partitions > optionLimits.partitionsMax)
    throw new Error(`A server has 1 to ${optionLimits.partitionsMax} partitions.`);
  const before = manifestOf(opened);
  if (before.partitions === partitions) throw new Error(`There are ${partitions} partitions already.`);
  const { isDrained } = await assertSound(opened, hasBucket);
  assertRoomBeside(partitionsOf(opened, before), partitions, freeBytes());
  if (!isDrained) {
    await deliverMessages();
    if (!(await assertSound(opened, hasBucket)).isDrained)
      throw new Error(
        'Some messages between partitions could not be delivered; nothing was changed. Start the server once, then try again.',
      );
  }
  const manifest = manifestOf(opened);
  await moveTo(opened, manifest, { ...manifest, partitions, generation: (manifest.generation ?? 0) + 1 });
  return [`Partitions: ${partitions}, before: ${manifest.partitions}.`];
}

function manifestOf(folder: DataFolder): FolderManifest {
  const manifest = readManifest(folder);
  assertMade(folder, manifest);
  if (isFormer(manifest)) throw notMigrated(folder);
  return manifest;
}

async function assertSound(folder: DataFolder, hasBucket: boolean) {
  const outcome = await checkFolder(folder, { hasBucket });
  if (outcome.sound) return outcome;
  throw new Error(`The data folder ${folder.path} is damaged. Run murmuration check for details.`);
}

async function moveTo(opened: DataFolder, manifest: FolderManifest, wanted: FolderManifest): Promise<void> {
  const folder = partitionsOf(opened, manifest);
  const place = partitionsOf(opened, wanted);
  removeOtherGenerations(folder);
  try {
    const commits = await withPartitions(folder, manifest.partitions, openPartition, (from) =>
      withPartitions(place, wanted.partitions, makePartition, async (to) => {
        for (const log of to) await openLog(log, wanted.epoch);
        await copy(wanted, from, to);
        assertWhole(to);
        return commitsOf(to);
      }),
    );
    syncFolder(opened.path);
    writeManifest(opened, { ...wanted, commits });
  } catch (error) {
    removePartitions(place);
    throw new Error(`The partitions stay as they were: ${reasonOf(error)}`, { cause: error });
  }
  removeOtherGenerations(place);
}

async function copy(
  { id, epoch, partitions }: FolderManifest,
  from: readonly PartitionLog[],
  to: readonly PartitionLog[],
): Promise<void> {
  const writers = to.map((log) => new PartitionWriter(log));
  const entries = repartitioned({
    from: from.map(({ reader }) => reader),
    to: evenPlacement(partitions),
    ...{ actors, keyspaces, relocations, rules },
    identityOf: (number) => ({ folder: id, number, partitions, epoch, format: folderFormat }),
  });
  for (const entry of entries) {
    const written = writers[entry.partition]!.add(entry);
    if (written !== undefined) await written;
  }
  for (const writer of writers) await writer.flush();
}

class PartitionWriter {
  private readonly log: PartitionLog;
  private entries: EntryToPut[] = [];
  private bytes = 0;

  constructor(log: PartitionLog) {
    this.log = log;
  }

  /** A promise when enough was added for a commit. */
  add(entry: EntryToPut): Promise<void> | undefined {
    this.entries.push(entry);
    this.bytes += entry.key.byteLength + entry.value.byteLength;
    return this.entries.length < entriesPerCommit && this.bytes < bytesPerCommit ? undefined : this.flush();
  }

  async flush(): Promise<void> {
    const { entries } = this;
    this.entries = [];
    this.bytes = 0;
    if (entries.length > 0)
      await append(this.log, { keys: entries.map(({ key }) => key), values: entries.map(({ value }) => value) });
  }
}

function assertWhole(logs: readonly PartitionLog[]): void {
  const readers = logs.map(({ reader }) => reader);
  const { partitions } = checkServer({ placement: evenPlacement(logs.length), readers, keyspaces, rules });
  const [problem] = partitions.flatMap(({ problems }) => problems);
  if (problem !== undefined) throw new Error(`the new ones are damaged: ${problem}`);
}
