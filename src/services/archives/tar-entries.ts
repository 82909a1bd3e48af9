/** The files of a tar archive, which may be compressed. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Header, type HeaderData, Pax } from 'tar';
import { archiveRefused } from './archive-problems.ts';
import type { ForeignEntry } from './foreign-entry.ts';
import { readSoundly } from './read-soundly.ts';

/** Of the tar format. */
const blockBytes = 512;
/** Of what precedes an entry to give it a longer name and the like. */
const metaBytesMax = 64 * 1024;
const pieceBytes = 256 * 1024;
const fileTypes: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile']);
const metaTypes: ReadonlySet<string> = new Set([
  ...['ExtendedHeader', 'OldExtendedHeader', 'GlobalExtendedHeader'],
  ...['NextFileHasLongPath', 'OldGnuLongPath', 'NextFileHasLongLinkpath'],
]);
/** Before one entry. */
const metaEntriesMax = 8;

export async function* tarEntries(
  path: string,
  kind: 'gzip' | 'tar',
  unpacked: (bytes: number) => void,
): AsyncGenerator<ForeignEntry> {
  const blocks = new Blocks(readSoundly(bytesOf(path, kind)), unpacked);
  try {
    yield* readSoundly(entriesOf(blocks));
  } finally {
    await blocks.end();
  }
}

function bytesOf(path: string, kind: 'gzip' | 'tar'): AsyncIterable<Buffer> {
  const file = createReadStream(path, { highWaterMark: pieceBytes });
  // Errors of either are thrown where the stream is read.
  return kind === 'tar' ? file : pipeline(file, createGunzip({ chunkSize: pieceBytes }), () => undefined);
}

async function* entriesOf(blocks: Blocks): AsyncGenerator<ForeignEntry> {
  let extended: HeaderData | undefined;
  let global: HeaderData | undefined;
  let metaEntries = 0;
  for (;;) {
    const block = await blocks.take(blockBytes);
    // The end of the archive; what follows is filling.
    if (block.every((byte) => byte === 0)) return;
    const header = new Header(block, 0, extended, global);
    const { size = 0, type, path = '' } = header;
    if (!header.cksumValid || !Number.isSafeInteger(size) || size < 0) throw archiveRefused('archiveBroken');
    if (metaTypes.has(type)) {
      metaEntries += 1;
      if (size > metaBytesMax || metaEntries > metaEntriesMax) throw archiveRefused('archiveBroken');
      const text = (await blocks.take(size)).toString('utf8');
      await blocks.pass(paddingOf(size));
      if (type === 'GlobalExtendedHeader') global = Pax.parse(text, global, true);
      else if (/Extended/.test(type)) extended = Pax.parse(text, extended);
      else if (/Path/.test(type)) extended = { ...extended, path: text.replace(/\0.*$/s, '') };
      continue;
    }
    // Links, and what stands for devices.
    if (!fileTypes.has(type) && type !== 'Directory') throw archiveRefused('archiveUnsafe');
    const body = blocks.body(size);
    yield { path: type === 'Directory' ? `${path}/` : path, content: () => readSoundly(body.content()) };
    await blocks.pass(body.left + paddingOf(size));
    [extended, metaEntries] = [undefined, 0];
  }
}

function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

/** Bytes that are taken in the pieces that the reader wants, not those in which they come. */
class Blocks {
  private readonly source: AsyncIterator<Buffer>;
  private readonly unpacked: (bytes: number) => void;
  private held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>, unpacked: (bytes: number) => void) {
    this.source = source[Symbol.asyncIterator]();
    this.unpacked = unpacked;
  }

  /** Some that are there, and not more. Throws Failure archiveBroken at the end. */
  async some(bytesMax: number): Promise<Buffer> {
    while (this.held.length === 0) {
      const next = await this.source.next();
      if (next.done === true) throw archiveRefused('archiveBroken');
      this.held = next.value;
      this.unpacked(this.held.length);
    }
    const taken = this.held.subarray(0, bytesMax);
    this.held = this.held.subarray(taken.length);
    return taken;
  }

  async take(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      const piece = await this.some(left);
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  async pass(bytes: number): Promise<void> {
    for (let left = bytes; left > 0; ) left -= (await this.some(left)).length;
  }

  body(bytes: number): { left: number; content(): AsyncGenerator<Buffer> } {
    const blocks = this;
    return {
      left: bytes,
      async *content() {
        while (this.left > 0) {
          const piece = await blocks.some(this.left);
          this.left -= piece.length;
          yield piece;
        }
      },
    };
  }

  async end(): Promise<void> {
    await this.source.return?.();
  }
}
