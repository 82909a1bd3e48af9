/**
 * `murmuration backup`: copies the state of a data folder at one moment, and its media, to a place.
 *
 * INVARIANTS
 * 1. What a backup consists of is written, and read back, before its backup.json is: whenever this is interrupted, there are
 *    the earlier backups and something unfinished, which the next call removes.
 * 2. Nothing waits for it. A server that runs on the folder writes as always; its files grow by what commits replace while the
 *    entries are read.
 * 3. Media are copied before the moment, and those of the moment that still lack after it: bytes that the server removes
 *    meanwhile were copied.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { blobs as blobRecords } from '../../actors/blob/blob.state.ts';
import { instanceSecrets } from '../../actors/instance/instance.queries.ts';
import { damageOf } from '../../runtime/storage/damaged-entry.ts';
import type { StorageEntry } from '../../runtime/storage/log.ts';
import { streamPlace } from '../../runtime/storage/machine.ts';
import { namingSecretOf } from '../../services/blobs/blob-names.ts';
import { type BlobName, type BlobStore, parseBlobName } from '../../services/blobs/blob-store.ts';
import { bytesOf } from '../../services/blobs/byte-source.ts';
import { LocalFile } from '../../services/blobs/local-file.ts';
import { software } from '../../services/software.ts';
import { incomingFolder } from '../folder/data-folder.ts';
import { readerOf } from '../folder/verify.ts';
import {
  type BackupManifest,
  backupFormat,
  backupNameOf,
  backupsIn,
  fileOfBackup,
  filesFolder,
  isKeptFile,
  manifestOfBackup,
  type StoredFile,
} from './backup-manifest.ts';
import { entriesFiles } from './entries.ts';
import { copyBlob, mediaIn, mediaListOf } from './media.ts';
import type { Moment, OpenFolder } from './moment.ts';
import type { Pace } from './pace.ts';
import { digestAt, onePiece, type Place } from './place.ts';
import { prune } from './prune.ts';

export interface BackupInput {
  /** The data folder. */
  readonly path: string;
  readonly opened: OpenFolder;
  readonly place: Place;
  /** Undefined leaves media out. */
  readonly blobs: BlobStore | undefined;
  /** How many backups the place keeps; undefined keeps all. */
  readonly keep: number | undefined;
  readonly pace: Pace;
  /** When it began, in milliseconds since 1970. */
  readonly now: number;
  show(line: string): void;
}

export interface BackupOutcome {
  readonly name: string;
  readonly manifest: BackupManifest;
  /** Media that were copied now. */
  readonly copied: { readonly files: number; readonly bytes: number };
  /** Names of earlier backups that were removed. */
  readonly removed: readonly string[];
}

/** Rejects with an Error whose message is a sentence, or with the reason of the signal of the pace. */
export async function backUp(input: BackupInput): Promise<BackupOutcome> {
  const { place } = input;
  await removeUnfinished(place);
  return await new Backup(input).make();
}

/** Of backups that were interrupted. */
async function removeUnfinished(place: Place): Promise<void> {
  await place.removeUnfinished();
  for (const { isWhole, files } of await backupsIn(place)) {
    if (isWhole) continue;
    for (const path of files) await place.remove(path);
  }
}

const pieceBytes = 1_048_576;

class Backup {
  private readonly input: BackupInput;
  private readonly name: string;
  private readonly written: StoredFile[] = [];
  /** Media of the place, by name. */
  private readonly media = new Map<string, number>();
  private readonly copied = { files: 0, bytes: 0 };

  constructor(input: BackupInput) {
    this.input = input;
    this.name = backupNameOf(input.now);
  }

  async make(): Promise<BackupOutcome> {
    const { opened, place, keep } = this.input;
    await this.copyStoredMedia();
    const moment = await opened.hold();
    const secret = this.secret();
    // Uploads that wait to be decoded do not wait for long.
    const files = await this.copyFiles();
    const names = new Map<BlobName, number>();
    const partitions: BackupManifest['partitions'] = [];
    for (const number of opened.partitions.keys()) partitions.push(await this.copyPartition(number, names));
    const media = this.input.blobs && (await this.copyMediaOf(names, secret));
    for (const file of this.written) await this.verify(file);
    const manifest = manifestOf(moment, { partitions, files, media });
    const content = Buffer.from(`${JSON.stringify(manifest)}\n`);
    await place.put(manifestOfBackup(this.name), content.byteLength, onePiece(content));
    const removed = keep === undefined ? [] : await prune(place, keep);
    return { name: this.name, manifest, copied: this.copied, removed };
  }

  /** Whatever the store has now. */
  private async copyStoredMedia(): Promise<void> {
    const { blobs, place, opened, show } = this.input;
    if (blobs === undefined) return;
    for (const [name, bytes] of await mediaIn(place)) this.media.set(name, bytes);
    await opened.hold();
    const secret = this.secret();
    for (const { release } of opened.partitions) release();
    if (secret === undefined) return;
    for await (const { name: text, bytes } of blobs.list()) {
      const name = parseBlobName(text);
      // Some services keep what had come of an upload that broke off.
      if (name === undefined || this.media.get(name) === bytes) continue;
      await this.copyBlob(name, secret, blobs);
      show(`Media: ${this.copied.files} files, ${megabytes(this.copied.bytes)} MB`);
    }
  }

  private async copyBlob(name: BlobName, secret: string, blobs: BlobStore): Promise<boolean> {
    const { place, pace } = this.input;
    const bytes = await copyBlob({ place, blobs, secret, read: (count) => pace.after(count) }, name);
    if (bytes === undefined) return false;
    this.media.set(name, bytes);
    this.copied.files += 1;
    this.copied.bytes += bytes;
    return true;
  }

  /** With which media are named; undefined on a server that has none yet. */
  private secret(): string | undefined {
    const secrets = instanceSecrets(this.input.opened.reader);
    return secrets && namingSecretOf(secrets);
  }

  /** Adds the names of its media. */
  private async copyPartition(
    number: number,
    names: Map<BlobName, number>,
  ): Promise<BackupManifest['partitions'][number]> {
    const { opened, pace, show } = this.input;
    const { reader, release } = opened.partitions[number]!;
    const parts: StoredFile[] = [];
    let entries = 0;
    let bytes = 0;
    const read = (count: number) => {
      bytes += count;
      show(`Partition ${number + 1} of ${opened.partitions.length}: ${megabytes(bytes)} MB`);
      return pace.after(count);
    };
    for await (const file of entriesFiles(reader, read, (entry) => noteBlob(entry, names))) {
      parts.push(await this.write(`partition-${number}/${parts.length}`, file.content));
      entries += file.entries;
    }
    const place = readerOf({ reader }).get(streamPlace, [0]);
    release();
    return { entries, parts, ...(place && { ...place, digest: Buffer.from(place.digest).toString('hex') }) };
  }

  private async write(file: string, content: Buffer): Promise<StoredFile> {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const stored = { file, bytes: content.byteLength, sha256 };
    await this.input.place.put(fileOfBackup(this.name, file), content.byteLength, onePiece(content));
    this.written.push(stored);
    return stored;
  }

  private async copyFiles(): Promise<StoredFile[]> {
    const { path } = this.input;
    const waiting = existsSync(incomingFolder(path)) ? await readdir(incomingFolder(path)) : [];
    const names = [...(await readdir(path)), ...waiting.map((name) => `${basename(incomingFolder(path))}/${name}`)];
    const copied: StoredFile[] = [];
    for (const name of names) {
      const source = isKeptFile(name) ? await LocalFile.open(join(path, name)) : undefined;
      if (source === undefined) continue;
      try {
        copied.push(await this.copyFile(`${filesFolder}/${name}`, source));
      } finally {
        source.close();
      }
    }
    return copied;
  }

  private async copyFile(file: string, source: LocalFile): Promise<StoredFile> {
    const { place, pace } = this.input;
    const digest = createHash('sha256');
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for await (const piece of bytesOf(source, pieceBytes)) {
        digest.update(piece);
        yield piece;
        await pace.after(piece.byteLength);
      }
    }
    await place.put(fileOfBackup(this.name, file), source.byteLength, pieces());
    const stored = { file, bytes: source.byteLength, sha256: digest.digest('hex') };
    this.written.push(stored);
    return stored;
  }

  /** Those that the database knew at the moment. */
  private async copyMediaOf(
    names: ReadonlyMap<BlobName, number>,
    secret: string | undefined,
  ): Promise<NonNullable<BackupManifest['media']>> {
    const known = new Map<string, number>();
    let missing = 0;
    for (const [name, bytes] of names) {
      const isThere = this.media.get(name) === bytes || (await this.copyBlob(name, secret!, this.input.blobs!));
      if (isThere) known.set(name, bytes);
      else missing += 1;
    }
    const bytes = [...known.values()].reduce((sum, count) => sum + count, 0);
    return { list: await this.write('media.list', mediaListOf(known)), files: known.size, bytes, missing };
  }

  private async verify({ file, sha256 }: StoredFile): Promise<void> {
    const { place, pace, show } = this.input;
    const path = fileOfBackup(this.name, file);
    show(`Reading back ${file}`);
    const found = await digestAt(place, path, (bytes) => pace.after(bytes));
    if (found !== sha256) throw new Error(`${place.name} does not return what was written: ${path}.`);
  }
}

/** Of every key: a slot, and then the number of its keyspace. */
const slotBytes = 2;

function noteBlob({ key, value }: StorageEntry, names: Map<BlobName, number>): void {
  if (key[slotBytes] !== blobRecords.number || !blobRecords.isKey(key)) return;
  if (damageOf(blobRecords, value) !== undefined) return;
  const { name: text, bytes, isBeingRemoved } = blobRecords.value.decode(value);
  const name = parseBlobName(text);
  if (name !== undefined && isBeingRemoved !== true) names.set(name, bytes);
}

function manifestOf(
  { at, manifest }: Moment,
  content: Pick<BackupManifest, 'partitions' | 'files' | 'media'>,
): BackupManifest {
  const { format, minimumReader, epoch, id, generation, origin, domain } = manifest;
  const folder = { format, minimumReader, epoch, id, generation };
  return { format: backupFormat, version: software.version, at, origin, domain, folder, ...content };
}

export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
