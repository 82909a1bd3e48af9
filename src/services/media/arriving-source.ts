/** A file that is still being downloaded, as a source of bytes: what has not come yet is waited for. */
import { Failure } from '../../runtime/errors.ts';
import type { ByteSource } from '../blobs/byte-source.ts';
import type { Arrival } from './remote-media.ts';

export class ArrivingSource implements ByteSource {
  readonly byteLength: number;
  private readonly file: ByteSource;
  private readonly more: (beyond: number) => Promise<Arrival>;
  private arrived: Arrival = { bytes: 0, isOver: false };

  /** `file` belongs to it. `more` settles when there is something behind an offset, or after some seconds. */
  constructor(file: ByteSource, byteLength: number, more: (beyond: number) => Promise<Arrival>) {
    this.file = file;
    this.byteLength = byteLength;
    this.more = more;
  }

  async arrival(offset: number): Promise<void> {
    while (!this.arrived.isOver && this.arrived.bytes <= offset) this.arrived = await this.more(offset);
  }

  /** Rejects with Failure remoteUnreachable for bytes that will never come. */
  async read(into: Uint8Array, offset: number): Promise<number> {
    const count = await this.file.read(into, offset);
    if (count === 0) throw new Failure('remoteUnreachable');
    return count;
  }

  close(): void {
    this.file.close();
  }
}
