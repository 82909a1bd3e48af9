/**
 * Memory for the pieces of large answers and of uploads, used again for the next one. A new buffer for each piece would be memory
 * outside of V8's heap, which V8 answers with a full collection: one for every six threads of 1,000 statuses (measured),
 * each of which delays all requests of the gateway.
 *
 * A block that is not given back, because its answer was not sent, is collected like any other buffer.
 */
import { httpLimits } from './limits.ts';

const { pieceBytes, idleBlocksMax } = httpLimits;

export class AnswerBlocks {
  private readonly idle: ArrayBufferLike[] = [];
  private readonly own = new WeakSet<ArrayBufferLike>();
  private idleMax: number = idleBlocksMax;

  /** Bytes of the blocks that wait for their next use. */
  get idleBytes(): number {
    return this.idle.length * pieceBytes;
  }

  /** The bytes as pieces of an answer. Give each back once, after it was sent; it must not be read after that. */
  copyOf(bytes: Uint8Array): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
      const part = bytes.subarray(start, start + pieceBytes);
      const piece = this.take().subarray(0, part.byteLength);
      piece.set(part);
      pieces.push(piece);
    }
    return pieces;
  }

  /** Takes a piece back, or the rest of it. Other buffers are left alone. */
  giveBack({ buffer }: Uint8Array): void {
    if (this.idle.length < this.idleMax && this.own.has(buffer)) this.idle.push(buffer);
  }

  /** From now on at least so many bytes of blocks are kept for their next use, while somebody needs them again and again. */
  keep(bytes: number): void {
    this.idleMax = Math.max(idleBlocksMax, Math.ceil(bytes / pieceBytes));
    if (this.idle.length > this.idleMax) this.idle.length = this.idleMax;
  }

  /** A whole block, with whatever bytes it had. */
  take(): Uint8Array {
    return new Uint8Array(this.idle.pop() ?? this.newBlock());
  }

  private newBlock(): ArrayBufferLike {
    const block = new ArrayBuffer(pieceBytes);
    this.own.add(block);
    return block;
  }
}
