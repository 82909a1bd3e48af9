/**
 * `murmuration restore`: makes a data folder of a backup.
 *
 * INVARIANTS
 * 1. The folder has a mark from the first file on until its manifest is there: no server starts on less than all of it, and
 *    the next call begins anew. What is damaged is noticed before the manifest is written, and then the folder is left empty.
 * 2. The server goes on above everything that the lost one may have published after the backup: ids continue after now, and
 *    commits far above all that there can have been, so that streams that resume are told of a gap. The folder gets an id of
 *    its own, so that no partition of the lost one is taken for one of it.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { instanceSecrets } from '../../actors/instance/instance.queries.ts';
import { evenPlacement } from '../../runtime/placement.ts';
import { syncFolder, writeDurably } from '../../runtime/storage/durable-files.ts';
import { LogRefusal, type PartitionLog } from '../../runtime/storage/log.ts';
import { Snapshots } from '../../runtime/storage/snapshots.ts';
import { namingSecretOf } from '../../services/blobs/blob-names.ts';
import type { BlobName } from '../../services/blobs/blob-store.ts';
import { bytesOf } from '../../services/blobs/byte-source.ts';
import { FolderStore, unfinishedFolder } from '../../services/blobs/folder-store.ts';
import { blobFolder, type DataFolder, dropUnused, restoreMark } from '../folder/data-folder.ts';
import { writeManifest } from '../folder/manifest.ts';
import { assertRoom, makePartition } from '../folder/partition-files.ts';
import { commitsOf, reasonOf, withPartitions } from '../folder/prepare.ts';
import { areCurrent, verifyChannels } from '../folder/verify.ts';
import { progressBar } from '../progress-bar.ts';
import { megabytes } from './backup.ts';
import {
  type BackupManifest,
  backupsIn,
  damagedBackup,
  fileOfBackup,
  filesFolder,
  isKeptFile,
  readBackup,
  type StoredFile,
} from './backup-manifest.ts';
import { isStored, mediaFileOf, mediaOfList } from './media.ts';
import type { Pace } from './pace.ts';
import { contentAt, type Place } from './place.ts';
import { writeEntries } from './restored-entries.ts';

export interface RestoreInput {
  readonly place: Place;
  /** The name of a backup; undefined takes the newest. */
  readonly name: string | undefined;
  /** Into which nothing else writes: the caller holds its lock. */
  readonly folder: DataFolder;
  /** Of the configuration; undefined where it names none. */
  readonly origin: string | undefined;
  /** The id of the folder whose logs the new one is to follow: it goes on where the backup ends. Undefined begins a history of its own. */
  readonly follows?: string | undefined;
  readonly pace: Pace;
  readonly now: number;
  show(line: string): void;
}

export interface RestoreOutcome {
  readonly name: string;
  readonly manifest: BackupManifest;
}

/** Rejects with an Error whose message is a sentence, or with the reason of the signal of the pace. */
export async function restore(input: RestoreInput): Promise<RestoreOutcome> {
  const { folder } = input;
  try {
    const outcome = await restoreInto(input);
    rmSync(restoreMark(folder));
    syncFolder(folder.path);
    return outcome;
  } catch (error) {
    clear(folder);
    rmSync(restoreMark(folder), { force: true });
    dropUnused(folder);
    const isOfSystem = error instanceof Error && ('syscall' in error || error instanceof LogRefusal);
    if (!isOfSystem) throw error;
    throw new Error(`The folder ${folder.path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}

async function restoreInto(input: RestoreInput): Promise<RestoreOutcome> {
  const { folder, place } = input;
  const name = input.name ?? (await newestIn(place));
  const manifest = await readBackup(place, name);
  assertOrigin(input, manifest);
  if (input.follows !== undefined) assertFollows(input.follows, name, manifest);
  if (input.now < manifest.at)
    throw new Error(
      `The clock of this machine is before the backup, which is of ${new Date(manifest.at).toISOString()}: set it first.`,
    );
  clear(folder);
  writeDurably(restoreMark(folder), '');
  syncFolder(folder.path);
  assertRoom(folder, manifest.partitions.length);
  await new Restore(input, name, manifest).make();
  return { name, manifest };
}

async function newestIn(place: Place): Promise<string> {
  const newest = (await backupsIn(place)).findLast(({ isWhole }) => isWhole);
  if (newest === undefined) throw new Error(`There is no backup in ${place.name}.`);
  return newest.name;
}

/** Throws an Error with a sentence where the configuration is that of another server. */
function assertOrigin({ origin, place }: RestoreInput, backup: BackupManifest): void {
  if (origin === undefined || backup.origin === undefined || origin === backup.origin) return;
  throw new Error(
    `The backup in ${place.name} is of ${backup.origin}, and the configuration says ${origin}. If it is the right one, add --origin ${backup.origin}`,
  );
}

/** Throws an Error with a sentence where the logs are not those of the backup. */
function assertFollows(id: string, name: string, { folder, partitions }: BackupManifest): void {
  if (folder.id === id && partitions.every(({ sequence }) => sequence !== undefined)) return;
  throw new Error(`The backup ${name} is no snapshot of the server whose logs the NATS servers keep.`);
}

/** Of what an interrupted restore has left; the mark and the lock stay. */
function clear({ path }: DataFolder): void {
  for (const name of readdirSync(path))
    if (!(name.startsWith('lock.sock') || name === 'restore.unfinished' || name === 'lost+found'))
      rmSync(join(path, name), { recursive: true, force: true });
}

const pieceBytes = 1_048_576;

class Restore {
  private readonly input: RestoreInput;
  private readonly name: string;
  private readonly manifest: BackupManifest;
  private readonly id: string;
  /** Of the parts of partitions. */
  private readonly bytes: number;
  private bytesDone = 0;

  constructor(input: RestoreInput, name: string, manifest: BackupManifest) {
    this.input = input;
    this.name = name;
    this.manifest = manifest;
    this.id = input.follows ?? randomBytes(16).toString('hex');
    const parts = manifest.partitions.flatMap((partition) => partition.parts);
    this.bytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async make(): Promise<void> {
    const { follows } = this.input;
    const { partitions, origin, domain } = this.manifest;
    const { generation = 0 } = follows === undefined ? {} : this.manifest.folder;
    const folder = { ...this.input.folder, generation };
    const commits = await withPartitions(folder, partitions.length, makePartition, async (logs) => {
      for (const [number, log] of logs.entries()) await this.fill(number, log);
      // Partitions that follow their logs come together at the end of these.
      if (follows === undefined && areCurrent(logs)) verifyChannels(folder, logs);
      for (const file of this.manifest.files) await this.restoreFile(file);
      await this.restoreMedia(logs);
      return commitsOf(logs);
    });
    const { epoch } = this.manifest.folder;
    const counts = { epoch, commits, partitions: partitions.length, generation: generation || undefined };
    writeManifest(folder, { ...counts, id: this.id, origin, domain });
  }

  private async fill(number: number, log: PartitionLog): Promise<void> {
    const { show, now, follows } = this.input;
    const { entries, parts } = this.manifest.partitions[number]!;
    const { epoch } = this.manifest.folder;
    const identity = { folder: this.id, number, partitions: this.manifest.partitions.length, epoch };
    let found = 0;
    const which = `Partition ${number + 1} of ${this.manifest.partitions.length}`;
    for (const part of parts) {
      show(`${this.bar}, ${which}`);
      found += await writeEntries(log, await this.read(part), follows === undefined ? { identity, now } : undefined);
      this.bytesDone += part.bytes;
    }
    show(`${this.bar}, ${which}`);
    if (found !== entries) throw damagedBackup(this.input.place, fileOfBackup(this.name, `partition-${number}`));
  }

  private get bar(): string {
    return `${progressBar(this.bytesDone, this.bytes)}  ${megabytes(this.bytesDone)} of ${megabytes(this.bytes)} MB`;
  }

  /** What was written, or an Error with a sentence. */
  private async read({ file, bytes, sha256 }: StoredFile): Promise<Buffer> {
    const { place, pace } = this.input;
    const path = fileOfBackup(this.name, file);
    const content = await contentAt(place, path);
    if (content?.byteLength !== bytes || createHash('sha256').update(content).digest('hex') !== sha256)
      throw damagedBackup(place, path);
    await pace.after(bytes);
    return content;
  }

  private async restoreFile(stored: StoredFile): Promise<void> {
    const path = stored.file.slice(filesFolder.length + 1);
    if (!isKeptFile(path)) throw damagedBackup(this.input.place, fileOfBackup(this.name, stored.file));
    const file = join(this.input.folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeDurably(file, await this.read(stored));
    syncFolder(dirname(file));
  }

  private async restoreMedia(logs: readonly PartitionLog[]): Promise<void> {
    const { media } = this.manifest;
    const secrets = instanceSecrets(
      new Snapshots(
        evenPlacement(logs.length),
        logs.map(({ reader }) => reader),
      ),
    );
    if (media === undefined || media.files === 0) return;
    if (secrets === undefined) throw damagedBackup(this.input.place, fileOfBackup(this.name, media.list.file));
    const secret = namingSecretOf(secrets);
    let files = 0;
    let bytes = 0;
    for (const [name, size] of mediaOfList(await this.read(media.list))) {
      await this.restoreBlob(name, secret);
      files += 1;
      bytes += size;
      this.input.show(`Media: ${files} of ${media.files} files, ${megabytes(bytes)} MB`);
    }
  }

  private async restoreBlob(name: BlobName, secret: string): Promise<void> {
    const { place, folder, pace } = this.input;
    const path = mediaFileOf(name);
    const source = (await isStored(place, name, secret, (bytes) => pace.after(bytes))) && (await place.open(path));
    if (!source) throw damagedBackup(place, path);
    const blobs = blobFolder(folder.path);
    const fresh = join(unfinishedFolder(blobs), randomUUID());
    mkdirSync(dirname(fresh), { recursive: true });
    try {
      const handle = await open(fresh, 'wx', 0o600);
      try {
        for await (const piece of bytesOf(source, pieceBytes)) await handle.writeFile(piece);
      } finally {
        await handle.close();
      }
      await new FolderStore(blobs).put(name, fresh);
    } finally {
      source.close();
      await rm(fresh, { force: true });
    }
  }
}
