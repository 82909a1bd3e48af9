/**
 * Writes the uploads of a gateway, few at a time, because the threads of the process that do it also commit and read for
 * others. Memory for what waits is bounded: beyond it the receiver of an upload writes itself, at once.
 */
import { writev, writevSync } from 'node:fs';
import { Failure } from '../../../runtime/errors.ts';
import type { AnswerBlocks } from '../answer-blocks.ts';
import { httpLimits } from '../limits.ts';

export interface UploadWrite {
  readonly descriptor: number;
  readonly pieces: readonly Uint8Array[];
  /** Of the first piece in the file. */
  readonly position: number;
  done(error: Error | undefined): void;
}

export interface UploadWritesOptions {
  readonly blocks: AnswerBlocks;
  /** Of memory for what is not written yet. */
  readonly bytesMax: number;
  /** Called when there is more room again. */
  onRoom(): void;
}

const { pieceBytes } = httpLimits;

export class UploadWrites {
  private readonly options: UploadWritesOptions;
  private readonly waiting: UploadWrite[] = [];
  /** When each of the writes in progress began. */
  private readonly running = new Map<UploadWrite, number>();
  private blocksTaken = 0;

  constructor(options: UploadWritesOptions) {
    this.options = options;
  }

  /** Memory in use. */
  get bytes(): number {
    return this.blocksTaken * pieceBytes;
  }

  hasRoomFor(bytes: number): boolean {
    return this.bytes + bytes <= this.options.bytesMax;
  }

  /** Throws Failure overloaded while the disk takes long for what it was given. */
  assertQuick(): void {
    const slowest = performance.now() - httpLimits.uploadStallMilliseconds;
    for (const begunAt of this.running.values()) if (begunAt < slowest) throw new Failure('overloaded');
  }

  takeBlock(): Uint8Array {
    this.blocksTaken += 1;
    return this.options.blocks.take();
  }

  giveBack(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.options.blocks.giveBack(piece);
    this.blocksTaken -= pieces.length;
    if (pieces.length > 0) this.options.onRoom();
  }

  write(write: UploadWrite): void {
    this.waiting.push(write);
    this.beginNext();
  }

  private beginNext(): void {
    while (this.running.size < httpLimits.uploadWritesAtOnce) {
      const write = this.waiting.shift();
      if (write === undefined) return;
      this.running.set(write, performance.now());
      this.continue(write, write.pieces, write.position);
    }
  }

  /** A write may take only some of the bytes, such as the last ones that fit on a disk. */
  private continue(write: UploadWrite, pieces: readonly Uint8Array[], position: number): void {
    writev(write.descriptor, pieces, position, (error, written) => {
      const rest = error === null ? piecesAfter(pieces, written) : [];
      if (rest.length > 0) this.continue(write, rest, position + written);
      else this.finish(write, error ?? undefined);
    });
  }

  private finish(write: UploadWrite, error: Error | undefined): void {
    this.running.delete(write);
    this.beginNext();
    write.done(error);
    this.giveBack(write.pieces);
  }
}

function piecesAfter(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  let left = bytes;
  for (const piece of pieces) {
    if (left < piece.byteLength) rest.push(piece.subarray(left));
    left = Math.max(0, left - piece.byteLength);
  }
  return rest;
}

/** Writes all of the bytes before it returns. Throws the error of the operating system. */
export function writeNow(descriptor: number, pieces: readonly Uint8Array[], position: number): void {
  let written = 0;
  for (let rest = pieces; rest.length > 0; rest = piecesAfter(pieces, written))
    written += writevSync(descriptor, rest, position + written);
}
