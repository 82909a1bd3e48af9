/** Blobs in a bucket of a real S3-compatible service. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketAddress } from '../../../src/outbound/s3/s3-bucket.ts';
import { S3Store } from '../../../src/outbound/s3/s3-store.ts';
import type { BlobName } from '../../../src/services/blobs/blob-store.ts';
import { conformsAsBlobStore } from '../../support/blob-store.conformance.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';

const name = `${'a'.repeat(43)}.png` as BlobName;
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
});

afterAll(() => server.stop());

describe('a bucket', () => {
  let store: S3Store;
  beforeEach(async () => {
    store = new S3Store(server.options);
    for await (const blob of store.list()) await store.delete(blob.name as BlobName);
    return () => store.close();
  });

  conformsAsBlobStore(() => store);
});

test.each([
  ['an unknown key', { accessKeyId: 'wrong' }],
  ['a wrong secret', { secretAccessKey: 'wrong' }],
  ['a bucket that does not exist', { bucket: 'none' }],
  ['nobody there', { endpoint: 'http://127.0.0.1:9' }],
])('%s is a failure of the moment', async (_, change) => {
  const store = new S3Store({ ...server.options, ...change });
  await expect(store.put(name, import.meta.filename, 'image/png')).rejects.toMatchObject({
    code: 'storageUnavailable',
  });
  await store.close();
});

test('a half that an upload has left is replaced', async () => {
  const store = new S3Store(server.options);
  const half = `${'c'.repeat(43)}.png` as BlobName;
  const [shorter, whole] = [`${import.meta.dirname}/../../support/s3rver.d.ts`, import.meta.filename];
  await store.put(half, shorter, 'image/png');
  await store.put(half, whole, 'image/png');
  expect((await store.open(half))?.byteLength).toBe(readFileSync(whole).length);
  await store.close();
});

test.each([
  [{ endpoint: 'https://s3.example.org', pathStyle: true }, 'https://s3.example.org/media'],
  [{ endpoint: 'https://s3.example.org:8443/storage/', pathStyle: true }, 'https://s3.example.org:8443/storage/media'],
  [{ endpoint: 'https://s3.example.org', pathStyle: false }, 'https://media.s3.example.org'],
])('the bucket of %j is at %s', (change, address) => {
  expect(bucketAddress({ ...server.options, ...change })).toBe(address);
});

test.each<[string, ...(string | undefined)[]]>([
  ['through the server'],
  [
    'at a public address',
    'https://pictures.example/kept',
    `https://pictures.example/kept/${name}`,
    'https://pictures.example',
  ],
])('readers get what is in it %s', async (_, publicAddress, address, origin) => {
  const store = new S3Store({ ...server.options, publicAddress });
  expect([await store.addressOf(name), store.readersOrigin]).toEqual([address, origin]);
  await store.close();
});

describe('a signed address', () => {
  const day = 24 * 3_600_000;
  const asked = {
    origin: 'https://social.example',
    accept: 'image/avif,image/*;q=0.8',
    referer: 'https://social.example/',
  };
  const bytes = readFileSync(import.meta.filename);
  let store: S3Store;
  let address: string;

  beforeAll(async () => {
    store = new S3Store({ ...server.options, publicAddress: 'signed' });
    await store.put(name, import.meta.filename, 'image/png');
    address = (await store.addressOf(name))!;
    expect(store.readersOrigin).toBe(new URL(address).origin);
    return () => store.close();
  });

  test('leads a browser to the blob, whole and in parts', async () => {
    const whole = await fetch(address, { headers: asked });
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
    const part = await fetch(address, { headers: { ...asked, range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(403);
  });

  test.each([
    ['another blob', () => address.replace('a'.repeat(43), 'b'.repeat(43))],
    ['a longer time', () => address.replace('X-Amz-Expires=86400', 'X-Amz-Expires=86401')],
    ['another key', () => address.replace('=S3RVER', '=OTHER')],
  ])('does not lead to %s', async (_, changed) => {
    expect(changed()).not.toBe(address);
    expect((await fetch(changed())).status).toBe(403);
  });

  test('leads there for a day', async () => {
    server.aheadMilliseconds = day - 60_000;
    const lastMinute = await fetch(address);
    server.aheadMilliseconds = day + 60_000;
    const after = await fetch(address);
    server.aheadMilliseconds = 0;
    expect([lastMinute.status, after.status]).toEqual([200, 403]);
  });
});
