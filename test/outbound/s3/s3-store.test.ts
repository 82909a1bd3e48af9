/** Blobs in a bucket of a real S3-compatible service. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketAddress, S3Store } from '../../../src/outbound/s3/s3-store.ts';
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
  ['a bucket that does not exist', { bucket: 'none' }],
  ['nobody there', { endpoint: 'http://127.0.0.1:9' }],
])('%s is a failure of the moment', async (_, change) => {
  const store = new S3Store({ ...server.options, ...change });
  await expect(store.put(name, import.meta.filename, 'image/png')).rejects.toMatchObject({
    code: 'storageUnavailable',
  });
  await store.close();
});

test.each([
  [{ endpoint: 'https://s3.example.org', pathStyle: true }, 'https://s3.example.org/media'],
  [{ endpoint: 'https://s3.example.org:8443/storage/', pathStyle: true }, 'https://s3.example.org:8443/storage/media'],
  [{ endpoint: 'https://s3.example.org', pathStyle: false }, 'https://media.s3.example.org'],
])('the bucket of %j is at %s', (change, address) => {
  expect(bucketAddress({ ...server.options, ...change })).toBe(address);
});

test.each([
  ['through the server', undefined, undefined],
  ['at a public address', 'https://pictures.example/kept', `https://pictures.example/kept/${name}`],
])('readers get what is in it %s', async (_, publicAddress, address) => {
  const store = new S3Store({ ...server.options, publicAddress });
  expect(await store.addressOf(name)).toBe(address);
  await store.close();
});

// The service of the tests checks no signatures of this kind: what is signed is asserted.
test('a signed address leads to the blob for a day', async () => {
  const store = new S3Store({ ...server.options, publicAddress: 'signed' });
  await store.put(name, import.meta.filename, 'image/png');
  const address = (await store.addressOf(name))!;
  const answer = await fetch(address);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': expect.stringMatching(/^S3RVER\/\d{8}\/us-east-1\/s3\/aws4_request$/),
    'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await store.close();
});
