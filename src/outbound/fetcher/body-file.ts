/** Writes the body of a response to a file while it arrives, and slows the sender down to the pace of the disk. */
import { createWriteStream, type WriteStream } from 'node:fs';

/** A piece that can be read in the file now, and all bytes that can be. */
export type FilePieces = (piece: Buffer, bytes: number) => void;

export class BodyFile {
  private readonly stream: WriteStream;
  private readonly arrived: FilePieces | undefined;
  private error: Error | undefined;

  /** The file must not exist. `failed` is called at most once, when it cannot be written. */
  constructor(path: string, failed: (error: Error) => void, arrived?: FilePieces) {
    this.arrived = arrived;
    this.stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.stream.on('error', (error) => {
      this.error = error;
      failed(error);
    });
  }

  /** False where the sender should wait for `drained`, which is then called once. */
  write(chunk: Buffer, drained: () => void): boolean {
    if (this.error !== undefined) return true;
    const takesMore = this.stream.write(chunk, (error) => {
      if (!error) this.arrived?.(chunk, this.stream.bytesWritten);
    });
    if (!takesMore) this.stream.once('drain', drained);
    return takesMore;
  }

  /** Calls back when everything is in the file; not if that failed. */
  end(written: () => void): void {
    if (this.error === undefined) this.stream.end(written);
  }

  /** Whoever has given the path removes the file. */
  abandon(): void {
    this.stream.destroy();
  }
}
