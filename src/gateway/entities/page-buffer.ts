/**
 * The buffer in which pages are assembled, reused for all. An answer is written to its socket, which copies it, before
 * anything else runs on the thread; allocating a buffer for each page of about 45 KB costs as much as making the page
 * (measured).
 */
import { entityLimits } from './limits.ts';

/** The longest beginning of a part that can be left out without making a view of the rest. */
const leftOutMax = 16;
const covered = new Uint8Array(leftOutMax);

export class PageBuffer {
  private bytes: Buffer = Buffer.allocUnsafeSlow(entityLimits.bufferBytes);
  length = 0;

  /** Begins a page. Memory that grew beyond the bound is released first. */
  begin(): void {
    this.length = 0;
    if (this.bytes.length > entityLimits.bufferBytesMax) this.bytes = Buffer.allocUnsafeSlow(entityLimits.bufferBytes);
  }

  append(part: Uint8Array): void {
    const end = this.length + part.length;
    if (end > this.bytes.length) this.grow(end);
    this.bytes.set(part, this.length);
    this.length = end;
  }

  appendByte(byte: number): void {
    if (this.length === this.bytes.length) this.grow(this.length + 1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /**
   * Appends a part from this position on. A short beginning is written over what is there already, which is put back:
   * making a view of the rest costs more than all else of it.
   */
  appendFrom(part: Uint8Array, position: number): void {
    const from = this.length - position;
    if (from < 0 || position > leftOutMax) {
      this.append(part.subarray(position));
      return;
    }
    const end = from + part.length;
    if (end > this.bytes.length) this.grow(end);
    const { bytes } = this;
    for (let index = 0; index < position; index += 1) covered[index] = bytes[from + index]!;
    bytes.set(part, from);
    for (let index = 0; index < position; index += 1) bytes[from + index] = covered[index]!;
    this.length = end;
  }

  /** Removes what was appended since. */
  truncate(length: number): void {
    this.length = length;
  }

  /** Writes over the first occurrence at or after this position, if there is one. Both are equally long. */
  replaceFrom(position: number, before: Buffer, after: Buffer): void {
    const index = this.bytes.subarray(position, this.length).indexOf(before);
    if (index >= 0) this.bytes.set(after, position + index);
  }

  overwrite(position: number, byte: number): void {
    this.bytes[position] = byte;
  }

  /** The assembled page; valid until the next `begin`. */
  get page(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
