/**
 * The bytes of media in a backup. They never change and are named by their content, so a place keeps each of them once for
 * all of its backups, and only what it lacks is copied. A name proves the bytes (services/blobs/blob-names.ts): they are
 * verified with it before they are written, and when they are read back.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { blobNameOf, mediaTypeOf } from '../../services/blobs/blob-names.ts';
import { type BlobName, type BlobStore, parseBlobName } from '../../services/blobs/blob-store.ts';
import { type ByteSource, bytesOf } from '../../services/blobs/byte-source.ts';
import type { Place } from './place.ts';

const folder = 'media';
const pieceBytes = 1_048_576;

export interface MediaCopier {
  readonly place: Place;
  readonly blobs: BlobStore;
  /** With which names are made. */
  readonly secret: string;
  /** Told of each piece that was read. */
  read(bytes: number): Promise<void>;
}

export function mediaFileOf(name: BlobName): string {
  return `${folder}/${name.slice(0, 2)}/${name}`;
}

/** The sizes of those that the place has, by name. */
export async function mediaIn(place: Place): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { path, bytes } of place.list(folder)) {
    const name = parseBlobName(path.slice(path.lastIndexOf('/') + 1));
    if (name !== undefined && path === mediaFileOf(name)) found.set(name, bytes);
  }
  return found;
}

/** Copies one; returns its size, and undefined where its bytes are gone or damaged. */
export async function copyBlob(copier: MediaCopier, name: BlobName): Promise<number | undefined> {
  const { place, blobs, secret } = copier;
  const source = await blobs.open(name);
  if (source === undefined) return undefined;
  try {
    if (!(await isItself(source, name, copier))) return undefined;
    const path = mediaFileOf(name);
    await place.put(path, source.byteLength, bytesOf(source, pieceBytes));
    if (await isStored(place, name, secret, copier.read)) return source.byteLength;
    await place.remove(path);
    throw new Error(`${place.name} does not return what was written: ${path}.`);
  } finally {
    source.close();
  }
}

/** Whether a place has the bytes of that name. */
export async function isStored(
  place: Place,
  name: BlobName,
  secret: string,
  read: (bytes: number) => Promise<void>,
): Promise<boolean> {
  const source = await place.open(mediaFileOf(name));
  if (source === undefined) return false;
  try {
    return await isItself(source, name, { secret, read });
  } finally {
    source.close();
  }
}

async function isItself(
  source: ByteSource,
  name: BlobName,
  { secret, read }: Pick<MediaCopier, 'secret' | 'read'>,
): Promise<boolean> {
  return (await blobNameOf(paced(source, read), mediaTypeOf(name), secret)) === name;
}

async function* paced(source: ByteSource, read: (bytes: number) => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytesOf(source, pieceBytes)) {
    yield piece;
    await read(piece.byteLength);
  }
}

/** A line each. */
export function mediaListOf(media: ReadonlyMap<string, number>): Buffer {
  return zstdCompressSync(Buffer.from([...media].map(([name, bytes]) => `${name} ${bytes}\n`).join('')));
}

/** The sizes by name. */
export function mediaOfList(list: Uint8Array): Map<BlobName, number> {
  const lines = zstdDecompressSync(list).toString().split('\n').slice(0, -1);
  return new Map(
    lines.flatMap((line) => {
      const [text = '', bytes] = line.split(' ');
      const name = parseBlobName(text);
      return name === undefined ? [] : [[name, Number(bytes)]];
    }),
  );
}
