/** Backups in a bucket, below a prefix. An object that was not sent to its end has no name, or another length. */
import { Readable } from 'node:stream';
import type { S3Bucket } from '../../outbound/s3/s3-bucket.ts';
import { Failure } from '../../runtime/errors.ts';
import type { ByteSource } from '../../services/blobs/byte-source.ts';
import type { Place, PlacedFile } from './place.ts';

export class BucketPlace implements Place {
  readonly name: string;
  private readonly bucket: S3Bucket;
  /** Empty, or with a slash at its end. */
  private readonly prefix: string;

  constructor(name: string, bucket: S3Bucket, prefix: string) {
    this.name = name;
    this.bucket = bucket;
    this.prefix = prefix;
  }

  put(path: string, byteLength: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const body = Readable.from(copied(pieces));
    return this.orRefused(() => this.bucket.put(this.prefix + path, byteLength, body, {}));
  }

  open(path: string): Promise<ByteSource | undefined> {
    return this.orRefused(() => this.bucket.open(this.prefix + path));
  }

  async *list(folder: string): AsyncIterable<PlacedFile> {
    const found = this.bucket.list(`${this.prefix}${folder}/`)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.orRefused(() => found.next());
      if (next.done === true) return;
      yield { path: next.value.name.slice(this.prefix.length), bytes: next.value.bytes };
    }
  }

  remove(path: string): Promise<void> {
    return this.orRefused(() => this.bucket.delete(this.prefix + path));
  }

  removeUnfinished(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.bucket.close();
  }

  private async orRefused<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { cause } = error;
      const reason = cause instanceof Error ? cause.message : String(cause ?? error.message);
      throw new Error(`The backups in ${this.name} cannot be read or written: ${reason}`, { cause: error });
    }
  }
}

/** A piece lasts until the next is asked for, and the connection may keep it longer. */
async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
