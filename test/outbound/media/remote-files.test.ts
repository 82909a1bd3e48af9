/** Files of other servers: fetched once, sniffed, decoded, kept below a quota, and refused where they lie. */
import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Pool } from '../../../src/runtime/pool.ts';
import { TaskKilled } from '../../../src/runtime/process-pool.ts';
import type { ProxiedKind } from '../../../src/services/media/proxied-media.ts';
import { until } from '../../support/until.ts';
import { useTestBed } from '../fetcher/test-bed.ts';
import { type RemoteFilesGiven, remoteFilesOf } from './remote-files-of.ts';

const bed = useTestBed();
const remoteFiles = (given?: RemoteFilesGiven) => remoteFilesOf(bed, given);

const picture = (width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .jpeg()
    .toBuffer();
/** The beginning of a film, and as much noise as is wanted. */
const film = (bytes = 1_000) =>
  Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1'), Buffer.alloc(bytes, 7)]);

const send =
  (body: Buffer | string, type = 'image/jpeg') =>
  (_request: unknown, response: ServerResponse) =>
    void response.setHeader('content-type', type).end(body);

async function pathOf(reply: Promise<{ state: string; path?: string }>): Promise<string> {
  const { state, path } = await reply;
  expect(state).toBe('kept');
  return path!;
}

test('a picture is fetched once for all who ask, decoded, and kept with its preview', async () => {
  const host = await bed.host(send(await picture(), 'text/plain'));
  const { ask, outcomes, left } = await remoteFiles();
  const address = `${host.origin}/a.jpg`;
  expect(await ask(address, 'picture', false)).toEqual({ state: 'absent' });
  const paths = await Promise.all([1, 2, 3].map(() => pathOf(ask(address))));
  const preview = await pathOf(ask(address, 'preview'));
  expect(new Set(paths).size).toBe(1);
  expect(host.requests).toHaveLength(1);
  expect(outcomes).toEqual(['fetched', 'kept']);
  expect(await sharp(paths[0]).metadata()).toMatchObject({ format: 'jpeg', width: 900 });
  const { width, height } = await sharp(preview).metadata();
  expect(width! * height!).toBeLessThanOrEqual(640 * 360);
  expect(await left()).toBe(0);
});

test('places and devices in a picture stay behind', async () => {
  const taken = await sharp(await picture())
    .withExif({ IFD0: { Model: 'Camera of bob' } })
    .toBuffer();
  const host = await bed.host(send(taken));
  const { ask } = await remoteFiles();
  const kept = await readFile(await pathOf(ask(`${host.origin}/a.jpg`)));
  expect(taken.includes('Camera of bob')).toBe(true);
  expect(kept.includes('Camera of bob')).toBe(false);
});

test('a film is kept as it is', async () => {
  const host = await bed.host(send(film(), 'application/octet-stream'));
  const { ask } = await remoteFiles();
  const path = await pathOf(ask(`${host.origin}/a`, 'film'));
  expect(path).toMatch(/\.original\.mp4$/);
  expect(await readFile(path)).toEqual(film());
});

const killed: Pool = { run: () => Promise.reject(new TaskKilled('memory')), close: () => Promise.resolve() };

const lies: [what: string, body: Buffer | string, kind: ProxiedKind, pool?: Pool][] = [
  ['a page that says it is a picture', '<html><script>alert(1)</script></html>', 'picture'],
  ['nothing', '', 'picture'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'avatar'],
  ['half a picture', Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF', 'latin1'), 'picture'],
  ['a film that says it is a picture', film(), 'preview'],
  ['a picture that says it is a film', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'film'],
  ['a playlist', '#EXTM3U\nhttp://127.0.0.1/', 'film'],
  ['a film above the limit', film(1_000_001), 'film'],
  [
    'an emoji above the limit',
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(300_000)]),
    'emoji',
  ],
  ['a bomb that ends the process that decodes it', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'picture', killed],
];

test.each(lies)('%s is refused, and not asked for again for a while that grows', async (_what, body, kind, pool) => {
  const host = await bed.host(send(body));
  const { ask, left, cached, network } = await remoteFiles(pool === undefined ? {} : { pool });
  const address = `${host.origin}/a`;
  expect(await ask(address, kind)).toEqual({ state: 'refused' });
  expect(await ask(address, kind)).toEqual({ state: 'refused' });
  expect(host.requests).toHaveLength(1);
  expect([await left(), cached.bytes]).toEqual([0, 0]);
  network.clock.milliseconds += 11 * 60_000;
  await ask(address, kind);
  expect(host.requests).toHaveLength(2);
  network.clock.milliseconds += 11 * 60_000;
  await ask(address, kind);
  expect(host.requests).toHaveLength(kind === 'film' && body.length > 1_000_000 ? 3 : 2);
});

test('a host that lies about the length, breaks off or hangs is unreachable, and leaves nothing', async () => {
  const breaking = await bed.host((_request, response) => {
    response.writeHead(200, { 'content-length': 5_000 });
    response.write(film(100), () => response.destroy());
  });
  const hanging = await bed.host((_request, response) => void response.writeHead(200).write(film(100)));
  const { ask, left } = await remoteFiles({ network: { limits: { bodyIdleTimeoutMilliseconds: 200 } } });
  expect(await ask(`${breaking.origin}/a`, 'film')).toEqual({ state: 'unreachable' });
  expect(await ask(`${hanging.origin}/a`, 'film')).toEqual({ state: 'unreachable' });
  expect(await left()).toBe(0);
});

test('a file that breaks off makes its host wait for nothing else', async () => {
  const host = await bed.host((request, response) => {
    if (request.url === '/b') return void response.end(film());
    response.writeHead(200, { 'content-length': 5_000 });
    response.write(film(100), () => response.destroy());
  });
  const { ask } = await remoteFiles();
  expect(await ask(`${host.origin}/a`, 'film')).toEqual({ state: 'unreachable' });
  expect(await ask(`${host.origin}/b`, 'film')).toMatchObject({ state: 'kept' });
});

test('a film is refused by its head when it says that it is too large', async () => {
  const host = await bed.host(
    (_request, response) => void response.writeHead(200, { 'content-length': 1_000_001 }).flushHeaders(),
  );
  const { ask, left } = await remoteFiles();
  expect(await ask(`${host.origin}/a`, 'film')).toEqual({ state: 'refused' });
  expect(await left()).toBe(0);
});

test.each([
  ['a scheme that is no web address', 'file:///etc/passwd'],
  ['a host that leads out of the folder', 'http://../a.jpg'],
  ['no address', 'nonsense'],
])('%s is refused without a request', async (_what, address) => {
  const { ask } = await remoteFiles();
  expect(await ask(address)).toEqual({ state: 'refused' });
});

test('private networks are not reached, neither directly nor by a redirect', async () => {
  const inside = await bed.host(send(await picture()));
  const { ask, network } = await remoteFiles({ network: { policy: { allowPrivate: false } } });
  network.resolver.set('elsewhere.example', ['127.0.0.1']);
  expect(await ask(`${inside.origin}/a.jpg`)).toEqual({ state: 'refused' });
  expect(await ask(`http://elsewhere.example:${inside.port}/a.jpg`)).toEqual({ state: 'refused' });
  expect(inside.requests).toHaveLength(0);

  const redirecting = await bed.host(
    (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  );
  const open = await remoteFiles();
  expect(await open.ask(`${redirecting.origin}/a.jpg`)).toEqual({ state: 'refused' });
});

test('nothing is shown of a host whose media are rejected', async () => {
  const host = await bed.host(send(await picture()));
  const { ask } = await remoteFiles({ more: { rejectsMedia: (name) => name === host.host } });
  expect(await ask(`${host.origin}/a.jpg`)).toEqual({ state: 'refused' });
  expect(host.requests).toHaveLength(0);
});

test('nor of a server whose files are elsewhere, also what is kept already', async () => {
  const host = await bed.host(send(await picture()));
  const rejected = new Set<string>();
  const { ask, files } = await remoteFiles({ more: { rejectsMedia: (name) => rejected.has(name) } });
  const address = `${host.origin}/a.jpg`;
  await pathOf(ask(address));
  rejected.add('bad.example');
  const by = (...servers: string[]) => files.file({ kind: 'picture', address, servers, mayFetch: true });
  expect(await by('good.example', 'bad.example')).toEqual({ state: 'refused' });
  expect(await by('good.example')).toMatchObject({ state: 'kept' });
});

test('a host that nobody has allowed may hold files of a server that is allowed', async () => {
  const host = await bed.host(send(await picture()));
  const isRefusedHost = (_name: string, isBeside: boolean) => !isBeside;
  const rejectsMedia = (name: string, isBeside: boolean) => !isBeside && name !== 'kind.example';
  const { files } = await remoteFiles({ network: { policy: { isRefusedHost } }, more: { rejectsMedia } });
  const of = (servers: string[]) =>
    files.file({ kind: 'picture', address: `${host.origin}/a.jpg`, servers, mayFetch: true });
  expect([await of([]), await of(['other.example'])]).toEqual([{ state: 'refused' }, { state: 'refused' }]);
  await pathOf(of(['kind.example']));
  expect(host.requests).toHaveLength(1);
});

test('what was viewed longest ago is removed first, also after a restart, and comes again on demand', async () => {
  const host = await bed.host(send(film(20_000)));
  const first = await remoteFiles({ quotaBytes: 64_000 });
  const address = (name: string) => `${host.origin}/${name}`;
  for (const name of ['a', 'b', 'c']) {
    await pathOf(first.ask(address(name), 'film'));
    first.network.clock.milliseconds += 2 * 3_600_000;
  }
  await pathOf(first.ask(address('a'), 'film', false));
  await pathOf(first.ask(address('d'), 'film'));
  const states = async (ask: typeof first.ask) =>
    Promise.all(['a', 'b', 'c', 'd'].map(async (name) => (await ask(address(name), 'film', false)).state));
  expect(await states(first.ask)).toEqual(['kept', 'absent', 'kept', 'kept']);
  expect(first.cached.bytes).toBeLessThanOrEqual(64_000);
  await pathOf(first.ask(address('b'), 'film'));

  // The times of the files are the order: c was viewed longest ago now.
  const kept = [...first.cached.matching(() => true)];
  await Promise.all(kept.flatMap(({ files }, age) => files.map(({ path }) => utimes(path, age + 1, age + 1))));
  const second = await remoteFiles({ quotaBytes: 64_000, folder: first.folder });
  await second.cached.ready();
  expect([...second.cached.matching(() => true)].map(({ key }) => key)).toEqual(kept.map(({ key }) => key));
  expect(await readFile(join(first.folder, 'hosts', 'CACHEDIR.TAG'), 'utf8')).toMatch(
    /^Signature: 8a477f597d28d172789f06886806bc55\n/,
  );
});

test('a view that cannot be noted on disk is reported, unless the copy has gone', async () => {
  const host = await bed.host(send(film()));
  const { ask, failures, network } = await remoteFiles();
  const path = await pathOf(ask(`${host.origin}/a`, 'film'));
  const view = async () => {
    network.clock.milliseconds += 2 * 3_600_000;
    await ask(`${host.origin}/a`, 'film', false);
  };
  await rm(dirname(path), { recursive: true });
  await view();
  await writeFile(dirname(path), 'a file in the place of the folder');
  await view();
  await until(() => failures.length > 0, { description: 'the failure to be reported' });
  expect(failures).toMatchObject([{ code: 'ENOTDIR' }]);
});

test('usage by host, and removing by age, host and address', async () => {
  const [one, other] = [await bed.host(send(film(1_000))), await bed.host(send(film(2_000)))];
  const { files, ask, network } = await remoteFiles();
  await pathOf(ask(`${one.origin}/a`, 'film'));
  network.clock.milliseconds += 1_000;
  const later = network.clock.milliseconds;
  await pathOf(ask(`${one.origin}/b`, 'film'));
  await pathOf(ask(`${other.origin}/c`, 'film'));
  const size = film(1_000).length;
  const day = Math.floor(later / (24 * 60 * 60 * 1_000));
  const usage = (host: string, count: number, bytes: number) => ({
    host,
    files: count,
    bytes,
    bytesByDay: [[day, bytes]],
  });
  expect(await files.usage()).toEqual([usage(one.host, 2, 2 * size), usage(other.host, 1, size + 1_000)]);
  expect(await files.remove({ notViewedSince: later })).toEqual({ files: 1, bytes: size });
  expect(await files.remove({ addresses: [`${one.origin}/b#x`] })).toEqual({ files: 1, bytes: size });
  expect(await files.remove({ host: one.host })).toEqual({ files: 0, bytes: 0 });
  expect(await files.remove({ host: other.host })).toEqual({ files: 1, bytes: size + 1_000 });
  expect(await files.usage()).toEqual([]);
});
