/**
 * The file of an upload in progress. Small pieces are collected until a write is worth it. Each write states its place in
 * the file, so that the order in which writes end does not matter.
 */
import { close, openSync, unlink } from 'node:fs';
import { httpLimits } from '../limits.ts';
import { type UploadWrites, writeNow } from './upload-writes.ts';

export class TemporaryFile {
  readonly path: string;
  /** Bytes received so far. */
  byteLength = 0;
  private readonly writes: UploadWrites;
  /** Told when a write has ended, with the error of one that failed. */
  private readonly onWritten: (error: Error | undefined) => void;
  private readonly descriptor: number;
  /** Received, but not given to be written; the last one has room for more. */
  private collected: Uint8Array[] = [];
  private collectedBytes = 0;
  private unwritten = 0;
  private isClosing = false;

  /** Throws the error of the operating system when the file cannot be made. */
  constructor(path: string, writes: UploadWrites, onWritten: (error: Error | undefined) => void) {
    this.path = path;
    this.writes = writes;
    this.onWritten = onWritten;
    this.descriptor = openSync(path, 'wx', 0o600);
  }

  /** Whether a write is in progress or waits for its turn. */
  get isWriting(): boolean {
    return this.unwritten > 0;
  }

  /**
   * Copies the bytes. Where too much waits to be written, they are written at once instead, which delays everybody; if
   * the disk is slow as well, Failure overloaded is thrown. Throws the error of such a write.
   */
  append(bytes: Uint8Array): void {
    if (this.writes.hasRoomFor(bytes.byteLength)) {
      this.collect(bytes);
      if (this.collectedBytes >= httpLimits.uploadBytesAtOnce) this.flush();
      return;
    }
    this.writes.assertQuick();
    const { pieces, position } = this.takeCollected();
    writeNow(this.descriptor, [...pieces, bytes], position);
    this.writes.giveBack(pieces);
    this.byteLength += bytes.byteLength;
  }

  /** Nothing more will be appended for now: what was collected is written. */
  flush(): void {
    const { pieces, position } = this.takeCollected();
    if (pieces.length === 0) return;
    this.unwritten += 1;
    this.writes.write({ descriptor: this.descriptor, pieces, position, done: (error) => this.written(error) });
  }

  /** Closes it as soon as nothing is being written. */
  close(): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.writes.giveBack(this.takeCollected().pieces);
    if (!this.isWriting) this.closeDescriptor();
  }

  /** Closes and removes it; one that was moved elsewhere stays there. */
  remove(): void {
    this.close();
    unlink(this.path, () => undefined);
  }

  private written(error: Error | undefined): void {
    this.unwritten -= 1;
    if (this.isClosing && !this.isWriting) this.closeDescriptor();
    this.onWritten(error);
  }

  private closeDescriptor(): void {
    close(this.descriptor, () => undefined);
  }

  private collect(bytes: Uint8Array): void {
    let rest = bytes;
    while (rest.byteLength > 0) {
      const filled = this.collectedBytes % httpLimits.pieceBytes;
      if (filled === 0) this.collected.push(this.writes.takeBlock());
      const last = this.collected.at(-1)!;
      const part = rest.subarray(0, httpLimits.pieceBytes - filled);
      last.set(part, filled);
      this.collectedBytes += part.byteLength;
      rest = rest.subarray(part.byteLength);
    }
    this.byteLength += bytes.byteLength;
  }

  /** As pieces of which all but the last are whole blocks. */
  private takeCollected(): { pieces: Uint8Array[]; position: number } {
    const pieces = this.collected;
    const position = this.byteLength - this.collectedBytes;
    const filled = this.collectedBytes % httpLimits.pieceBytes;
    if (filled > 0) pieces.push(pieces.pop()!.subarray(0, filled));
    this.collected = [];
    this.collectedBytes = 0;
    return { pieces, position };
  }
}
