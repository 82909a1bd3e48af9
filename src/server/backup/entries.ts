/**
 * The entries of a partition as bytes: pieces of some hundred entries, each compressed for itself, and some pieces to a
 * file. A file is a sequence of: length of the compressed piece (4) · length of the piece (4) · compressed piece; a piece is
 * a sequence of: length of the key (2) · length of the value (4) · key · value.
 */

import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { afterLastKey } from '../../runtime/storage/keyspace.ts';
import type { StorageEntry, StorageReader } from '../../runtime/storage/log.ts';

const compress = promisify(zstdCompress);

/** A value may be longer; it has a piece to itself then. */
const pieceBytes = 262_144;
/** Compressed: what is in memory at once. */
const fileBytes = 16_777_216;
const lengthsBytes = 8;
const entryHeadBytes = 6;
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const firstKey = Uint8Array.of(0);

export interface EntriesFile {
  readonly entries: number;
  readonly content: Buffer;
}

/** All entries of a held snapshot. `read` is told of each piece, and `met` of each entry, whose bytes last for the call. */
export async function* entriesFiles(
  reader: StorageReader,
  read: (bytes: number) => Promise<void>,
  met: (entry: StorageEntry) => void,
): AsyncGenerator<EntriesFile> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let entries = 0;
  let start: Uint8Array | undefined = firstKey;
  while (start !== undefined) {
    const piece = readPiece(reader, start, met);
    start = piece.next;
    if (piece.entries === 0) break;
    const compressed = await compress(piece.content, level);
    pieces.push(lengths(compressed.byteLength, piece.content.byteLength), compressed);
    bytes += lengthsBytes + compressed.byteLength;
    entries += piece.entries;
    await read(piece.content.byteLength);
    if (bytes < fileBytes) continue;
    yield { entries, content: Buffer.concat(pieces) };
    [pieces, bytes, entries] = [[], 0, 0];
  }
  if (entries > 0) yield { entries, content: Buffer.concat(pieces) };
}

function lengths(compressed: number, plain: number): Buffer {
  const head = Buffer.alloc(lengthsBytes);
  head.writeUInt32BE(compressed, 0);
  head.writeUInt32BE(plain, 4);
  return head;
}

/** No range stays open while something else is waited for. */
function readPiece(reader: StorageReader, start: Uint8Array, met: (entry: StorageEntry) => void) {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let entries = 0;
  let next: Uint8Array | undefined;
  for (const entry of reader.range({ start, end: afterLastKey })) {
    met(entry);
    const { key, value } = entry;
    const head = Buffer.alloc(entryHeadBytes);
    head.writeUInt16BE(key.byteLength, 0);
    head.writeUInt32BE(value.byteLength, 2);
    parts.push(head, Uint8Array.from(key), Uint8Array.from(value));
    bytes += entryHeadBytes + key.byteLength + value.byteLength;
    entries += 1;
    if (bytes < pieceBytes) continue;
    // The key behind it.
    next = Buffer.concat([key, Uint8Array.of(0)]);
    break;
  }
  return { content: Buffer.concat(parts, bytes), entries, next };
}

/** The entries of a file whose digest was verified. Throws an Error for bytes that are no such file. */
export function* entriesOf(file: Buffer): Generator<StorageEntry> {
  for (let at = 0; at < file.byteLength; ) {
    const compressed = file.readUInt32BE(at);
    const plain = file.readUInt32BE(at + 4);
    const begin = at + lengthsBytes;
    at = begin + compressed;
    const piece = zstdDecompressSync(file.subarray(begin, at), { maxOutputLength: Math.max(plain, 1) });
    for (let offset = 0; offset < piece.byteLength; ) {
      const key = offset + entryHeadBytes;
      const value = key + piece.readUInt16BE(offset);
      const end = value + piece.readUInt32BE(offset + 2);
      yield { key: piece.subarray(key, value), value: piece.subarray(value, end) };
      offset = end;
    }
  }
}
