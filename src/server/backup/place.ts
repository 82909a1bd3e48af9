/**
 * Where backups are kept: a folder, or a bucket below a prefix. Files are written whole or not at all. The layout:
 *
 *   backups/TIME/backup.json     what belongs to it, with digests; written last: without it, it is no backup
 *   backups/TIME/partition-N/    the entries of a partition, in parts
 *   backups/TIME/files/          the other files of the data folder
 *   backups/TIME/media.list      names and sizes of its media
 *   media/                       the bytes of media, shared by all backups of the place
 */
import { createHash } from 'node:crypto';
import { type ByteSource, bytesOf } from '../../services/blobs/byte-source.ts';

export interface PlacedFile {
  readonly path: string;
  readonly bytes: number;
}

/** Paths have slashes, and no other special characters. Rejects with an Error whose message is a sentence. */
export interface Place {
  /** As the operator wrote it. */
  readonly name: string;
  /** When this settles, the file survives a loss of power. An existing one is replaced. */
  put(path: string, byteLength: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Undefined where there is none. */
  open(path: string): Promise<ByteSource | undefined>;
  /** All files below a folder, in no particular order. */
  list(folder: string): AsyncIterable<PlacedFile>;
  /** Nothing happens if it is not there. */
  remove(path: string): Promise<void>;
  /** Removes what a backup that was killed had begun to write. */
  removeUnfinished(): Promise<void>;
  close(): Promise<void>;
}

const pieceBytes = 1_048_576;

/** A whole small file. Undefined where there is none. */
export async function contentAt(place: Place, path: string): Promise<Buffer | undefined> {
  const source = await place.open(path);
  if (source === undefined) return undefined;
  const pieces: Buffer[] = [];
  try {
    for await (const piece of bytesOf(source, pieceBytes)) pieces.push(Buffer.from(piece));
  } finally {
    source.close();
  }
  return Buffer.concat(pieces);
}

/** SHA-256 in hex of what is there; undefined where nothing is. `read` is told of each piece. */
export async function digestAt(
  place: Place,
  path: string,
  read: (bytes: number) => Promise<void>,
): Promise<string | undefined> {
  const source = await place.open(path);
  if (source === undefined) return undefined;
  const digest = createHash('sha256');
  try {
    for await (const piece of bytesOf(source, pieceBytes)) {
      digest.update(piece);
      await read(piece.byteLength);
    }
  } finally {
    source.close();
  }
  return digest.digest('hex');
}

/** The content of a file that is written as one piece. */
export async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  await Promise.resolve();
}
