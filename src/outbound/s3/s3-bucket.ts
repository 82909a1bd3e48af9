/**
 * A bucket of an S3-compatible service (Garage, RustFS, SeaweedFS, R2, AWS …). Requests are signed with AWS Signature Version 4; TLS protects the
 * bytes, which are not hashed a second time (UNSIGNED-PAYLOAD).
 */

import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { Failure } from '../../runtime/errors.ts';
import type { StoredBlob } from '../../services/blobs/blob-store.ts';
import type { ByteSource } from '../../services/blobs/byte-source.ts';
import { readListing } from './read-listing.ts';

export interface S3Options {
  /** The origin of the service, such as `https://s3.example.org`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket stands in the path; otherwise it is part of the host. */
  readonly pathStyle: boolean;
  /** Where readers get what is in it, without a slash at its end, or `signed`; undefined where it is read for them. */
  readonly publicAddress?: string | undefined;
}

const timeMilliseconds = 60_000;
const connectionsMax = 32;
const emptyDigest = 'UNSIGNED-PAYLOAD';

/** Rejects with Failure storageUnavailable where the service cannot be used now. Names may have slashes, and need no escapes. */
export class S3Bucket {
  private readonly options: S3Options;
  private readonly base: string;
  private readonly agent = new Agent({
    connections: connectionsMax,
    headersTimeout: timeMilliseconds,
    bodyTimeout: timeMilliseconds,
  });

  constructor(options: S3Options) {
    this.options = options;
    this.base = bucketAddress(options);
  }

  /** Objects whose names begin with the prefix. */
  async *list(prefix: string): AsyncIterable<StoredBlob> {
    let token: string | undefined;
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        ...(prefix !== '' && { prefix }),
        ...(token !== undefined && { 'continuation-token': token }),
      });
      const page = readListing(await textOf(await this.send('GET', `/?${query}`)));
      yield* page.blobs;
      token = page.nextToken;
    } while (token !== undefined);
  }

  /** Undefined where there is no such object. */
  async lengthOf(name: string): Promise<number | undefined> {
    const answer = await finished(await this.send('HEAD', `/${name}`), [200, 404]);
    return answer.statusCode === 404 ? undefined : Number(answer.headers['content-length']);
  }

  async open(name: string): Promise<ByteSource | undefined> {
    const length = await this.lengthOf(name);
    return length === undefined ? undefined : new S3Source(this, name, length);
  }

  /** Some bytes from an offset on, as a body that must be read. */
  async bytes(name: string, offset: number, length: number): Promise<Dispatcher.ResponseData> {
    return this.send('GET', `/${name}`, { range: `bytes=${offset}-${offset + length - 1}` });
  }

  async put(name: string, byteLength: number, body: Readable, given: Readonly<Record<string, string>>): Promise<void> {
    const headers = { ...given, 'content-length': String(byteLength) };
    await finished(await this.send('PUT', `/${name}`, headers, body), [200]);
  }

  /** Nothing happens if it is not there. */
  async delete(name: string): Promise<void> {
    await finished(await this.send('DELETE', `/${name}`), [200, 204, 404]);
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private async send(
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    path: string,
    given: Readonly<Record<string, string>> = {},
    body?: Readable,
  ): Promise<Dispatcher.ResponseData> {
    const { accessKeyId, secretAccessKey, region } = this.options;
    const signer = new AwsV4Signer({
      ...{ method, url: `${this.base}${path}`, accessKeyId, secretAccessKey, region, service: 's3' },
      headers: { ...given, 'x-amz-content-sha256': emptyDigest },
    });
    const { url, headers } = await signer.sign();
    // Set by the connection.
    headers.delete('host');
    try {
      return await request(url, {
        method,
        headers: Object.fromEntries(headers.entries()),
        body: body ?? null,
        dispatcher: this.agent,
      });
    } catch (cause) {
      throw new Failure('storageUnavailable', { cause });
    }
  }
}

/** Without a slash at its end. */
export function bucketAddress({ endpoint, bucket, pathStyle }: S3Options): string {
  const { protocol, host, pathname } = new URL(endpoint);
  const path = pathname.replace(/\/$/, '');
  return pathStyle ? `${protocol}//${host}${path}/${bucket}` : `${protocol}//${bucket}.${host}${path}`;
}

class S3Source implements ByteSource {
  readonly byteLength: number;
  private readonly bucket: S3Bucket;
  private readonly name: string;

  constructor(bucket: S3Bucket, name: string, byteLength: number) {
    this.bucket = bucket;
    this.name = name;
    this.byteLength = byteLength;
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    const length = Math.min(into.byteLength, this.byteLength - offset);
    if (length <= 0) return 0;
    const answer = await this.bucket.bytes(this.name, offset, length);
    if (answer.statusCode !== 206 && answer.statusCode !== 200) throw await unexpected(answer);
    try {
      const bytes = Buffer.from(await answer.body.arrayBuffer()).subarray(0, length);
      into.set(bytes);
      return bytes.byteLength;
    } catch (cause) {
      throw new Failure('storageUnavailable', { cause });
    }
  }

  close(): void {
    // Each read is a request of its own.
  }
}

/** The answer, read to its end, if its status is expected. Throws Failure storageUnavailable for any other. */
async function finished(
  answer: Dispatcher.ResponseData,
  expected: readonly number[],
): Promise<Dispatcher.ResponseData> {
  if (!expected.includes(answer.statusCode)) throw await unexpected(answer);
  await answer.body.dump();
  return answer;
}

async function textOf(answer: Dispatcher.ResponseData): Promise<string> {
  if (answer.statusCode !== 200) throw await unexpected(answer);
  try {
    return await answer.body.text();
  } catch (cause) {
    throw new Failure('storageUnavailable', { cause });
  }
}

const saidCharactersMax = 300;

/** What the service says goes to the log. */
async function unexpected({ statusCode, body }: Dispatcher.ResponseData): Promise<Failure> {
  const said = await body.text().catch(() => 'nothing that could be read');
  return new Failure('storageUnavailable', { cause: `S3 answers ${statusCode}: ${said.slice(0, saidCharactersMax)}` });
}
