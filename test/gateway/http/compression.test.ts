/** Compressed answers: for whom, which, and that the client reads what was written. */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, bytes, json, jsonContentType, redirect, stream } from '../../../src/gateway/http/answers.ts';
import { HttpServer } from '../../../src/gateway/http/server.ts';
import { type RawRoute, rawRoute } from '../../../src/gateway/route.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import { authenticate, publicOrigin, startServer, type TestServices } from './support.ts';

const words = (count: number) => ({ words: Array.from({ length: count }, (_, index) => `wren ${index * 7_919}`) });
const kept = Buffer.from(JSON.stringify(words(500)));
const picture = Buffer.alloc(4_096, 'picture');
const tagged = { headers: { ETag: '"a"', Vary: 'Accept' } };

const answers: Readonly<Record<string, () => Answer>> = {
  page: () => json(words(500), tagged),
  small: () => json(words(5)),
  kept: () => bytes(kept, { contentType: jsonContentType, isKept: true }),
  pieces: () => bytes([kept.subarray(0, 1_000), kept.subarray(1_000)], { contentType: jsonContentType }),
  large: () => json(words(20_000)),
  largePieces: () => bytes([Buffer.from(JSON.stringify(words(20_000)))], { contentType: jsonContentType }),
  largeBuffer: () => bytes(Buffer.from(JSON.stringify(words(20_000))), { contentType: jsonContentType }),
  activity: () => bytes(kept, { contentType: 'application/activity+json' }),
  markup: () => bytes('<p>wren</p>'.repeat(500), { contentType: 'text/html; charset=utf-8' }),
  picture: () => bytes(picture, { contentType: 'image/png' }),
  coded: () => bytes(picture, { contentType: 'text/plain', headers: { 'Content-Encoding': 'identity' } }),
  elsewhere: () => redirect('/small'),
  streamed: () =>
    stream({
      contentType: 'text/event-stream',
      open(sink) {
        sink.write('data: wren\n\n'.repeat(200));
        sink.end();
        return () => undefined;
      },
    }),
  failing: () => {
    throw new Failure('validation', { text: 'wren '.repeat(500) });
  },
};

interface Seen {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

function ask(port: number, path: string, headers: Record<string, string>, method = 'GET'): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

function decoded({ headers, body }: Seen): Buffer {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

const routes: RawRoute<TestServices>[] = Object.entries(answers).flatMap(([path, handler]) => [
  rawRoute<TestServices>({ method: 'GET', path: `/${path}`, handler }),
  rawRoute<TestServices>({ method: 'GET', path: `/later/${path}`, handler: () => Promise.resolve().then(handler) }),
]);

let port: number;

beforeAll(() => {
  const server = new HttpServer<TestServices>({
    publicOrigin,
    trustedProxyCount: 0,
    services: { name: 'murmuration' },
    endpoints: [],
    rawRoutes: routes,
    authenticate,
    rateLimits: undefined,
    log: () => undefined,
    compresses: true,
  });
  port = server.listen('127.0.0.1', 0);
  return async () => void (await server.close(0));
});

test.each([
  ['br, gzip', undefined, 'br'],
  ['gzip, deflate', undefined, 'gzip'],
  ['GZIP;q=1.0, br;q=0', undefined, 'gzip'],
  ['gzip;q=0.000, br;q=0.1', undefined, 'br'],
  ['x-gzip', undefined, 'gzip'],
  ['deflate, *', undefined, undefined],
  ['identity', undefined, undefined],
  ['br, gzip', 'session=1', 'gzip'],
  ['br', 'session=1', undefined],
])('%s with the cookie %s: %s', async (accepted, cookie, coding) => {
  const headers = { 'Accept-Encoding': accepted, ...(cookie !== undefined && { Cookie: cookie }) };
  const seen = await ask(port, '/page', headers);
  expect(seen.headers['content-encoding']).toBe(coding);
  expect(seen.headers.vary).toBe('Accept-Encoding, Accept');
  expect(seen.headers.etag).toBe(coding === undefined ? '"a"' : 'W/"a"');
  expect(decoded(seen).toString()).toBe(JSON.stringify(words(500)));
  if (coding !== undefined) expect(seen.body.length).toBeLessThan(decoded(seen).length / 2);
});

test('a client that names no coding gets none', async () => {
  const { headers, body } = await ask(port, '/page', {});
  expect(headers).toMatchObject({ 'content-length': String(body.length), vary: 'Accept-Encoding, Accept' });
  expect(headers['content-encoding']).toBeUndefined();
});

const compressible = new Set([
  ...['page', 'kept', 'pieces', 'large', 'largePieces', 'largeBuffer', 'activity', 'markup', 'failing'],
]);

describe.each(Object.keys(answers))('%s', (name) => {
  test.each(['', '/later'])('%s is compressed where that is worth it', async (prefix) => {
    const plain = await ask(port, `${prefix}/${name}`, {});
    for (const accepted of ['br', 'gzip']) {
      const seen = await ask(port, `${prefix}/${name}`, { 'Accept-Encoding': accepted });
      expect(seen.status).toBe(plain.status);
      expect(seen.headers['content-encoding'] === accepted).toBe(compressible.has(name));
      expect(decoded(seen).equals(plain.body)).toBe(true);
    }
  });
});

test('what is kept is compressed once', async () => {
  const first = await ask(port, '/kept', { 'Accept-Encoding': 'br' });
  const quick = await ask(port, '/activity', { 'Accept-Encoding': 'br' });
  expect(first.body.length).toBeLessThan(quick.body.length);
});

test('a request for the head says the length of the body as it is', async () => {
  const { headers } = await ask(port, '/page', { 'Accept-Encoding': 'br' }, 'HEAD');
  expect(headers).toMatchObject({ 'content-length': String(JSON.stringify(words(500)).length), etag: '"a"' });
  expect(headers.vary).toContain('Accept-Encoding');
});

test('for requests with a cookie the same answer has many lengths', async () => {
  const lengths = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const seen = await ask(port, '/markup', { 'Accept-Encoding': 'gzip', Cookie: 'session=1' });
    expect(decoded(seen).toString()).toBe('<p>wren</p>'.repeat(500));
    lengths.add(seen.body.length);
  }
  expect(lengths.size).toBeGreaterThan(5);
});

test('without the option nothing is compressed, and nothing varies', async () => {
  const plain = startServer({ rawRoutes: routes });
  const { headers } = await ask(plain.port, '/page', { 'Accept-Encoding': 'br' });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('Accept');
});
