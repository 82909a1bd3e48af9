/**
 * The files of an archive that is being built: the archive itself (tar, RFC 1952 in several members, which readers join), and
 * the document that grows. Each slice cuts them to the length that the slice before has told, and appends: one that is run
 * again after a kill writes the same once more.
 */
import { mkdir, open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { Header } from 'tar';
import { bytesOf } from '../blobs/byte-source.ts';
import { LocalFile } from '../blobs/local-file.ts';
import { synced } from '../blobs/synced.ts';

/** Read at a time. */
export const archivePieceBytes = 256 * 1024;
/** Of the tar format. */
const blockBytes = 512;

export interface ArchivedFile {
  readonly path: string;
  readonly bytes: number;
  /** Pieces that are valid until the next one is asked for. */
  content(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** It is small enough already. */
  readonly isCompressed?: boolean;
}

export function textFile(path: string, text: string): ArchivedFile {
  const bytes = Buffer.from(text);
  return { path, bytes: bytes.byteLength, content: () => [bytes] };
}

export class ArchiveFiles {
  readonly folder: string;
  private readonly document: string;
  private readonly modifiedAt: Date;

  /**
   * `modifiedAt` is that of all entries, so that the same slice is the same bytes. `index` is that of the document: earlier ones
   * stay until the end, as the slice that ends one may run again.
   */
  constructor(folder: string, modifiedAt: number, index: number) {
    this.folder = folder;
    this.modifiedAt = new Date(modifiedAt);
    this.document = join(folder, `document-${index}`);
  }

  get archive(): string {
    return join(this.folder, 'archive.tar.gz');
  }

  /** False where less is there than was written: another machine, a lost folder. */
  async resume(archiveBytes: number, documentBytes: number): Promise<boolean> {
    await mkdir(this.folder, { recursive: true });
    const isArchive = await cut(this.archive, archiveBytes);
    return (await cut(this.document, documentBytes)) && isArchive;
  }

  /** Both return the length of the file that grew. */
  async addToDocument(text: string): Promise<number> {
    return append(this.document, [Buffer.from(text)]);
  }

  async addToArchive(files: readonly ArchivedFile[], isLast = false): Promise<number> {
    for (const isCompressed of [true, false]) {
      const some = files.filter((file) => (file.isCompressed ?? false) === isCompressed);
      if (some.length > 0) await this.addMember(entriesOf(some, this.modifiedAt), isCompressed);
    }
    // The end of a tar file.
    if (isLast) await this.addMember([Buffer.alloc(2 * blockBytes)], false);
    return (await stat(this.archive)).size;
  }

  private async addMember(
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    isCompressed: boolean,
  ): Promise<void> {
    const level = isCompressed ? constants.Z_NO_COMPRESSION : constants.Z_DEFAULT_COMPRESSION;
    const file = await open(this.archive, 'a');
    await pipeline(Readable.from(content, { objectMode: false }), createGzip({ level }), file.createWriteStream());
    await synced(this.archive);
  }

  async documentFile(path: string): Promise<ArchivedFile> {
    const { document } = this;
    return { path, bytes: (await stat(document)).size, content: () => fileContent(document) };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

async function* fileContent(path: string): AsyncGenerator<Uint8Array> {
  const source = await LocalFile.open(path);
  if (source === undefined) return;
  try {
    yield* bytesOf(source, archivePieceBytes);
  } finally {
    source.close();
  }
}

async function* entriesOf(files: readonly ArchivedFile[], mtime: Date): AsyncGenerator<Uint8Array> {
  for (const { path, bytes, content } of files) {
    const header = new Header({ path, size: bytes, mode: 0o644, mtime, type: 'File' });
    const block = Buffer.alloc(blockBytes);
    header.encode(block, 0);
    yield block;
    let written = 0;
    for await (const piece of content()) {
      written += piece.byteLength;
      // A copy: the stream keeps it longer than it is valid.
      yield Buffer.from(piece);
    }
    if (written !== bytes) throw new Error(`${path} has ${written} bytes in place of ${bytes}`);
    yield Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);
  }
}

async function append(path: string, pieces: readonly Uint8Array[]): Promise<number> {
  const file = await open(path, 'a');
  try {
    for (const piece of pieces) await file.write(piece);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function cut(path: string, bytes: number): Promise<boolean> {
  const file = await open(path, 'a');
  const { size } = await file.stat();
  await file.close();
  if (size > bytes) await truncate(path, bytes);
  return size >= bytes;
}
