/**
 * Blobs in a bucket. A file is complete on disk before it is
 * sent, so its length is known and one PUT is enough.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AwsV4Signer } from 'aws4fetch';
import { type BlobName, type BlobStore, parseBlobName, type StoredBlob } from '../../services/blobs/blob-store.ts';
import type { ByteSource } from '../../services/blobs/byte-source.ts';
import { bucketAddress, S3Bucket, type S3Options } from './s3-bucket.ts';

const signedSeconds = 24 * 60 * 60;
/** Blobs never change: whoever has one may keep it. */
const cacheControl = 'public, max-age=31536000, immutable';

export class S3Store implements BlobStore {
  private readonly options: S3Options;
  private readonly base: string;
  private readonly bucket: S3Bucket;

  constructor(options: S3Options) {
    this.options = options;
    this.base = bucketAddress(options);
    this.bucket = new S3Bucket(options);
  }

  async put(name: BlobName, file: string, mediaType: string): Promise<void> {
    const { size } = await stat(file);
    // Some services keep what had come of an upload that broke off.
    if ((await this.bucket.lengthOf(name)) === size) return;
    const headers = { 'content-type': mediaType, 'cache-control': cacheControl };
    await this.bucket.put(name, size, createReadStream(file), headers);
  }

  open(name: BlobName): Promise<ByteSource | undefined> {
    return this.bucket.open(name);
  }

  async has(name: BlobName): Promise<boolean> {
    return (await this.bucket.lengthOf(name)) !== undefined;
  }

  async addressOf(name: BlobName): Promise<string | undefined> {
    const { publicAddress } = this.options;
    return publicAddress === 'signed' ? this.signedAddress(name) : publicAddress && `${publicAddress}/${name}`;
  }

  get readersOrigin(): string | undefined {
    const { publicAddress } = this.options;
    return publicAddress && new URL(publicAddress === 'signed' ? this.base : publicAddress).origin;
  }

  async delete(name: BlobName): Promise<void> {
    await this.bucket.delete(name);
  }

  async *list(): AsyncIterable<StoredBlob> {
    for await (const blob of this.bucket.list('')) if (parseBlobName(blob.name) !== undefined) yield blob;
  }

  async close(): Promise<void> {
    await this.bucket.close();
  }

  /** Valid for a day: players ask for the parts of a film long after its beginning. */
  private async signedAddress(name: BlobName): Promise<string> {
    const address = new URL(`${this.base}/${name}`);
    address.searchParams.set('X-Amz-Expires', String(signedSeconds));
    const { accessKeyId, secretAccessKey, region } = this.options;
    const signer = new AwsV4Signer({
      ...{ url: address.href, accessKeyId, secretAccessKey, region, service: 's3', signQuery: true },
    });
    return (await signer.sign()).url.href;
  }
}
