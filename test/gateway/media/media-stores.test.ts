/** Uploads move from the data folder into a bucket, into another one, and back, and are served all the while. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { S3Store } from '../../../src/outbound/s3/s3-store.ts';
import { blobFolder } from '../../../src/server/folder/data-folder.ts';
import type { BlobStore } from '../../../src/services/blobs/blob-store.ts';
import { FolderStore, unfinishedFolder } from '../../../src/services/blobs/folder-store.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { decodedMedia } from '../../support/upload.ts';
import type { User } from '../../support/users.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-stores-'));
const folder = new FolderStore(blobFolder(dataDirectory));
let first: S3Server;
let second: S3Server;
let server: RunningServer;
let alice: User;
/** Paths of what she has uploaded, with the bytes that the server sent at first. */
const shown = new Map<string, Buffer>();

beforeAll(async () => {
  [first, second] = [await startS3Server(), await startS3Server('other')];
  server = await startTestServer({ dataDirectory });
  alice = await server.createUser('alice');
});

afterAll(async () => {
  await server.stop();
  await Promise.all([first.stop(), second.stop()]);
  rmSync(dataDirectory, { recursive: true });
});

function bucket(prefix: string, { options }: S3Server): Record<string, string> {
  return {
    [`${prefix}_ENDPOINT`]: options.endpoint,
    [`${prefix}_BUCKET`]: options.bucket,
    [`${prefix}_ACCESS_KEY`]: options.accessKeyId,
    [`${prefix}_SECRET_KEY`]: options.secretAccessKey,
  };
}

const current = 'MURMURATION_MEDIA_S3';
const previous = 'MURMURATION_MEDIA_S3_PREVIOUS';

/** Each picture once: two files, because the preview has fewer pixels. */
async function upload(background: string): Promise<void> {
  const picture = sharp({ create: { width: 800, height: 600, channels: 3, background } });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await picture.png().toBuffer())]), 'a.png');
  const answer = await server.fetch('/api/v2/media', { method: 'POST', body: form, token: alice.token });
  const { url, preview_url } = await decodedMedia(server, alice, answer);
  for (const address of [url, preview_url]) {
    const { pathname } = new URL(address);
    shown.set(pathname, Buffer.from(await (await fetch(`${server.origin}${pathname}`)).arrayBuffer()));
  }
}

async function restart(environment: Record<string, string>): Promise<void> {
  await server.stop();
  server = await startTestServer({ dataDirectory, environment, port: server.port });
}

async function expectAllShown(): Promise<void> {
  for (const [path, bytes] of shown) {
    const answer = await fetch(`${server.origin}${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  }
}

async function namesIn(store: BlobStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names.toSorted();
}

async function filesInFolder(): Promise<number> {
  return (await namesIn(folder)).length;
}

async function namesInBucket({ options }: S3Server): Promise<string[]> {
  const store = new S3Store(options);
  try {
    return await namesIn(store);
  } finally {
    await store.close();
  }
}

/** Holds all requests of a method from one on. */
function holdFrom(number: number, method: string, service: S3Server): { reached: Promise<void>; release(): void } {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  service.before = (request) => {
    if (request.method === method) count += 1;
    if (request.method !== method || count < number) return;
    reached.resolve();
    return released.promise;
  };
  const release = () => {
    service.before = undefined;
    released.resolve();
  };
  return { reached: reached.promise, release };
}

/** Every blob is in one store at least, and in both if it was killed between its copy and its removal. */
async function expectNothingLost(service: S3Server): Promise<{ inFolder: string[]; inBucket: string[] }> {
  const [inFolder, inBucket] = [await namesIn(folder), await namesInBucket(service)];
  const names = [...shown.keys()].map((path) => path.slice('/media/'.length));
  expect([...new Set([...inFolder, ...inBucket])].toSorted()).toEqual(names.toSorted());
  return { inFolder, inBucket };
}

test('a folder moves into a bucket while it is served, and goes on after its server was killed', async () => {
  await upload('red');
  await upload('green');
  await restart(bucket(current, first));
  await expectAllShown();
  await upload('blue');
  expect(await filesInFolder()).toBe(4);
  const held = holdFrom(3, 'PUT', first);
  const moving = expect(server.run('media', 'move')).rejects.toThrow();
  await held.reached;
  await server.kill();
  held.release();
  await moving;
  const { inFolder, inBucket } = await expectNothingLost(first);
  expect(inBucket.length).toBeGreaterThanOrEqual(4);
  server = await startTestServer({ dataDirectory, environment: bucket(current, first), port: server.port });
  await expectAllShown();
  expect(await server.run('media', 'move')).toMatch(new RegExp(`^Moved ${inFolder.length} files?, `));
  expect(await expectNothingLost(first)).toMatchObject({ inFolder: [] });
  await expectAllShown();
  expect(await server.run('media', 'move')).toBe('There was nothing to move.\n');
  const [path, bytes] = [...shown][0]!;
  const part = await fetch(`${server.origin}${path}`, { headers: { range: 'bytes=10-19' } });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(10, 20)]);
});

test('a bucket moves into another one, also for a stopped server', async () => {
  await restart({ ...bucket(current, second), ...bucket(previous, first) });
  await expectAllShown();
  await server.stop();
  expect(await server.run('media', 'move')).toMatch(/^Moved 6 files, /);
  expect(await server.run('check')).toContain('Nothing is wrong.');
});

test('readers are sent to signed addresses of the bucket', async () => {
  await restart({ ...bucket(current, second), MURMURATION_MEDIA_S3_PUBLIC: 'signed' });
  const [path] = [...shown][0]!;
  const answer = await fetch(`${server.origin}${path}`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([302, '*']);
  expect(answer.headers.get('location')).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/other\/[\w-]{43}\.png\?X-Amz-Expires=86400&.*X-Amz-Signature=/,
  );
  expect(answer.headers.get('cache-control')).toBe('public, max-age=43200');
  await expectAllShown();
  expect((await fetch(`${server.origin}/media/guess.png`, { redirect: 'manual' })).status).toBe(404);
});

test('a bucket moves back into the folder, and goes on after the process of a stopped server was killed', async () => {
  await restart(bucket(previous, second));
  await expectAllShown();
  await server.stop();
  const held = holdFrom(2, 'DELETE', second);
  const moving = server.startCommand('media', 'move');
  await held.reached;
  moving.kill('SIGKILL');
  await once(moving, 'close');
  held.release();
  const { inFolder, inBucket } = await expectNothingLost(second);
  expect(inFolder.length).toBeGreaterThanOrEqual(2);
  expect(await server.run('media', 'move')).toMatch(new RegExp(`^Moved ${inBucket.length} files?, `));
  expect(await expectNothingLost(second)).toMatchObject({ inBucket: [] });
  await restart({});
  await expectAllShown();
  const unfinished = unfinishedFolder(blobFolder(dataDirectory));
  expect(existsSync(unfinished) ? readdirSync(unfinished) : []).toEqual([]);
  await server.stop();
  expect(await server.run('check')).toContain('Nothing is wrong.');
});
