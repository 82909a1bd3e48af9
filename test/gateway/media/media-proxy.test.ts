/** The address under which a gateway shows files of other servers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mediaProxyRoute } from '../../../src/gateway/files/media-proxy-route.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import type { RemoteFileReply, RemoteFileRequest } from '../../../src/services/media/remote-media.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'media-proxy-'));
const path = join(folder, 'key.original.mp4');
const content = 'the bytes of a film';
const remote = 'https://elsewhere.example/film.mp4';
let gateway: TestGateway;
let shown: string;
let replies: RemoteFileReply[] = [];
let asked: RemoteFileRequest[] = [];

beforeAll(async () => {
  writeFileSync(path, content);
  gateway = await startTestGateway({ endpoints: [], rawRoutes: [mediaProxyRoute], rateLimits: true });
  const addresses = new Addresses(gateway.services.options.origin, undefined, undefined, () => 'a key');
  Object.assign(gateway.services, {
    addresses,
    remoteMedia: {
      file: (request: RemoteFileRequest) => {
        asked.push(request);
        return Promise.resolve(replies.shift() ?? { state: 'absent' });
      },
    },
  });
  shown = new URL(addresses.shownMedia(remote, 'film', {})!).pathname;
});

afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

async function get(address: string, given: readonly RemoteFileReply[], headers: Record<string, string> = {}) {
  replies = [...given];
  asked = [];
  const response = await gateway.fetch(address, { headers });
  return {
    response,
    status: response.status,
    body: await response.text(),
    asked: asked.map(({ mayFetch }) => mayFetch),
  };
}

const kept: RemoteFileReply = { state: 'kept', path };

test('a kept file is served with ranges, under a policy in which nothing of it runs', async () => {
  const whole = await get(shown, [kept]);
  expect(whole).toMatchObject({ status: 200, body: content, asked: [false] });
  expect(asked).toEqual([{ kind: 'film', address: remote, mayFetch: false }]);
  const { headers } = whole.response;
  expect(headers.get('content-type')).toBe('video/mp4');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('public, max-age=604800');
  expect(headers.get('accept-ranges')).toBe('bytes');
  const part = await get(shown, [kept], { range: 'bytes=4-8' });
  expect([part.status, part.body, part.response.headers.get('content-range')]).toEqual([206, 'bytes', 'bytes 4-8/19']);
  expect(await get(shown, [kept], { 'if-none-match': headers.get('etag')! })).toMatchObject({ status: 304 });
});

test('a file that is not kept is fetched, and waited for', async () => {
  const coming = { state: 'coming' } as const;
  expect(await get(shown, [{ state: 'absent' }, coming, coming, kept])).toMatchObject({
    status: 200,
    body: content,
    asked: [false, true, true, true],
  });
});

test.each<[what: string, replies: RemoteFileReply[], status: number]>([
  ['that cannot be shown', [{ state: 'absent' }, { state: 'refused' }], 404],
  ['of a rejected server', [{ state: 'refused' }], 404],
  ['that cannot be reached', [{ state: 'absent' }, { state: 'unreachable' }], 503],
  [
    'that takes too long',
    [{ state: 'absent' }, ...Array.from({ length: 4 }, () => ({ state: 'coming' }) as const)],
    503,
  ],
  [
    'that was evicted again at once',
    [kept, { state: 'kept', path: `${path}.gone` }].toReversed() as RemoteFileReply[],
    200,
  ],
])('a file %s', async (_what, given, status) => {
  expect((await get(shown, given)).status).toBe(status);
});

test('what this server has not signed is not asked for', async () => {
  const [, , , signature, address] = shown.split('/');
  expect(await get(`/media_proxy/picture/${signature}/${address}`, [kept])).toMatchObject({ status: 404, asked: [] });
});

test('only what has to be fetched is limited by address', async () => {
  await get(shown, [kept]);
  let { status } = { status: 200 };
  for (let count = 0; status !== 429 && count <= 600; count += 1) {
    ({ status } = await get(shown, [{ state: 'absent' }, kept]));
  }
  expect(status).toBe(429);
  expect((await get(shown, [kept])).status).toBe(200);
});
