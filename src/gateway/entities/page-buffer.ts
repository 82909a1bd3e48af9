/**
 * The buffer in which pages are assembled, reused for all. An answer is written to its socket, which copies it, before
 * anything else runs on the thread; allocating a buffer for each page of about 45 KB costs as much as making the page
 * (measured).
 */
import { entityLimits } from './limits.ts';

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

  /** Appends a part from this position on. */
  appendFrom(part: Buffer, position: number): void {
    const end = this.length + part.length - position;
    if (end > this.bytes.length) this.grow(end);
    part.copy(this.bytes, this.length, position);
    this.length = end;
  }

  /** Removes what was appended since. */
  truncate(length: number): void {
    this.length = length;
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
