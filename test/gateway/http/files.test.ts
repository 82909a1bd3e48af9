/** Answers with files: conditions, ranges, names, and clients that read slowly, leave, or ask in masses. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { contentDisposition } from '../../../src/gateway/http/files/content-disposition.ts';
import { fileAnswer } from '../../../src/gateway/http/files/file-answer.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { type RawRoute, rawRoute } from '../../../src/gateway/route.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import type { ByteSource } from '../../../src/services/blobs/byte-source.ts';
import { LocalFile } from '../../../src/services/blobs/local-file.ts';
import { until } from '../../support/until.ts';
import { startServer } from './support.ts';

const etag = '"abc"';
const modified = 'Fri, 20 Nov 2026 08:00:00 GMT';
const earlier = 'Fri, 20 Nov 2026 07:59:59 GMT';
const later = 'Fri, 20 Nov 2026 08:00:01 GMT';
const small = Buffer.from('0123456789');
/** More than the sockets of both sides take without being read. */
const hugeBytes = 16 * 1024 * 1024 + 3;

/** A source in memory that counts what is done with it. */
class Watched implements ByteSource {
  reading = 0;
  closed = 0;
  readonly byteLength: number;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.byteLength = bytes.length;
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    expect(this.closed).toBe(0);
    this.reading += 1;
    await new Promise((resolve) => setImmediate(resolve));
    this.reading -= 1;
    const piece = this.bytes.subarray(offset, offset + into.byteLength);
    into.set(piece);
    return piece.length;
  }

  close(): void {
    expect(this.reading).toBe(0);
    this.closed += 1;
  }
}

function route(source: () => ByteSource | Promise<ByteSource>, disposition?: string): RawRoute<unknown> {
  return rawRoute({
    method: 'GET',
    path: '/file',
    handler: async ({ request }) =>
      fileAnswer(request, await source(), {
        contentType: 'image/png',
        etag,
        modifiedAt: Date.parse(modified) + 400,
        ...(disposition === undefined ? {} : { disposition: { kind: 'attachment', filename: disposition } }),
        headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      }),
  });
}

type Expected = readonly [status: number, body: string, contentRange?: string];

const whole: Expected = [200, '0123456789'];
const none: Expected = [304, ''];
const failed: Expected = [412, ''];
const outside: Expected = [416, '', 'bytes */10'];
const lastThree: Expected = [206, '789', 'bytes 7-9/10'];

const conditions: readonly [headers: Record<string, string>, expected: Expected][] = [
  [{}, whole],
  [{ Range: 'bytes=0-3' }, [206, '0123', 'bytes 0-3/10']],
  [{ Range: 'bytes=7-' }, lastThree],
  [{ Range: 'bytes=-3' }, lastThree],
  [{ Range: 'bytes=7-99' }, lastThree],
  [{ Range: 'bytes= 7-9 ' }, lastThree],
  [{ Range: 'BYTES=7-9' }, lastThree],
  [{ Range: 'bytes=-99' }, [206, '0123456789', 'bytes 0-9/10']],
  [{ Range: 'bytes=9-9' }, [206, '9', 'bytes 9-9/10']],
  [{ Range: 'bytes=10-' }, outside],
  [{ Range: 'bytes=10-20' }, outside],
  [{ Range: 'bytes=-0' }, outside],
  [{ Range: 'bytes=5-4' }, whole],
  [{ Range: 'bytes=a-' }, whole],
  [{ Range: 'bytes=-' }, whole],
  [{ Range: 'bytes=1--3' }, whole],
  [{ Range: 'bytes=99999999999999999999-' }, whole],
  [{ Range: 'lines=0-3' }, whole],
  [{ Range: 'bytes=0-3,5-6' }, whole],
  [{ 'If-None-Match': etag }, none],
  [{ 'If-None-Match': `"x", W/${etag}` }, none],
  [{ 'If-None-Match': '*' }, none],
  [{ 'If-None-Match': '"x"' }, whole],
  [{ 'If-None-Match': '"x"', 'If-Modified-Since': later }, whole],
  [{ 'If-None-Match': etag, Range: 'bytes=7-' }, none],
  [{ 'If-Modified-Since': modified }, none],
  [{ 'If-Modified-Since': later }, none],
  [{ 'If-Modified-Since': earlier }, whole],
  [{ 'If-Modified-Since': 'soon' }, whole],
  [{ 'If-Match': etag }, whole],
  [{ 'If-Match': `"x", ${etag}` }, whole],
  [{ 'If-Match': '*' }, whole],
  [{ 'If-Match': '"x"' }, failed],
  [{ 'If-Match': `W/${etag}` }, failed],
  [{ 'If-Unmodified-Since': earlier }, failed],
  [{ 'If-Unmodified-Since': modified }, whole],
  [{ 'If-Match': etag, 'If-Unmodified-Since': earlier }, whole],
  [{ 'If-Range': etag, Range: 'bytes=7-' }, lastThree],
  [{ 'If-Range': modified, Range: 'bytes=7-' }, lastThree],
  [{ 'If-Range': '"x"', Range: 'bytes=7-' }, whole],
  [{ 'If-Range': `W/${etag}`, Range: 'bytes=7-' }, whole],
  [{ 'If-Range': later, Range: 'bytes=7-' }, whole],
  [{ 'If-Range': 'soon', Range: 'bytes=7-' }, whole],
];

describe('conditions and ranges', () => {
  test.each(conditions)('%j', async (headers, [status, body, contentRange]) => {
    const source = new Watched(small);
    const { fetch, server } = startServer({ rawRoutes: [route(() => source)] });
    const answer = await fetch('/file', { headers });
    expect([answer.status, await answer.text()]).toEqual([status, body]);
    const shown = (name: string) => answer.headers.get(name);
    expect([shown('content-range'), shown('etag'), shown('last-modified'), shown('accept-ranges')]).toEqual([
      contentRange ?? null,
      etag,
      modified,
      'bytes',
    ]);
    expect(shown('cache-control')).toBe('public, max-age=31536000, immutable');
    await until(() => source.closed === 1 && server.files.sent === 0 && server.load.requests === 0);
  });

  test.each([
    [{}, 200],
    [{ Range: 'bytes=7-' }, 200],
    [{ 'If-None-Match': etag }, 304],
  ])('HEAD with %j reads nothing', async (headers, status) => {
    const source = new Watched(small);
    const { fetch } = startServer({ rawRoutes: [route(() => source)] });
    const answer = await fetch('/file', { method: 'HEAD', headers });
    expect([answer.status, answer.headers.get('content-length'), source.closed]).toEqual([
      status,
      status === 200 ? '10' : null,
      1,
    ]);
  });

  test('an empty file is empty, and no range of it exists', async () => {
    const sources: Watched[] = [];
    const { fetch } = startServer({
      rawRoutes: [
        route(() => {
          sources.push(new Watched(Buffer.alloc(0)));
          return sources.at(-1)!;
        }),
      ],
    });
    for (const [headers, status] of [
      [{}, 200],
      [{ Range: 'bytes=0-' }, 416],
      [{ Range: 'bytes=-1' }, 416],
    ] as const)
      expect((await fetch('/file', { headers })).status).toBe(status);
    expect(sources.map(({ closed }) => closed)).toEqual([1, 1, 1]);
  });
});

test('names under which files are saved cannot be abused', async () => {
  const names: readonly [given: string, header: string][] = [
    ['photo.png', 'attachment; filename="photo.png"'],
    ['Möwe.png', `attachment; filename="M_we.png"; filename*=UTF-8''M%C3%B6we.png`],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    [`it's (1)*.txt`, `attachment; filename="it's (1)_.txt"`],
    [`ö'(.txt`, `attachment; filename="_'(.txt"; filename*=UTF-8''%C3%B6%27%28.txt`],
    ['a"; filename=b.exe', 'attachment; filename="a__; filename=b.exe"'.replace('a__;', 'a_;')],
    ['a\r\nSet-Cookie: x=1', 'attachment; filename="a__Set-Cookie_ x=1"'],
    ['../../.ssh/keys', 'attachment; filename="_.._.ssh_keys"'],
    ['C:\\Windows\\a.dll', 'attachment; filename="C__Windows_a.dll"'],
    ['gpj.\u202eexe', 'attachment; filename="gpj._exe"'],
    ['...', 'attachment; filename="file"'],
    ['', 'attachment; filename="file"'],
    ['\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
    [`${'a'.repeat(500)}.png`, `attachment; filename="${'a'.repeat(116)}.png"`],
    ['💾.png', `attachment; filename="__.png"; filename*=UTF-8''%F0%9F%92%BE.png`],
  ];
  expect(names.map(([given]) => contentDisposition('attachment', given))).toEqual(names.map(([, header]) => header));
  expect(contentDisposition('inline', undefined)).toBe('inline');
  const { fetch } = startServer({ rawRoutes: [route(() => new Watched(small), 'Möwe\r\n.png')] });
  const header = (await fetch('/file')).headers.get('content-disposition');
  expect(header).toBe(`attachment; filename="M_we__.png"; filename*=UTF-8''M%C3%B6we__.png`);
});

const folder = mkdtempSync(join(tmpdir(), 'murmuration-files-'));
const hugePath = join(folder, 'huge');
const huge = Buffer.alloc(hugeBytes);
for (let index = 0; index < hugeBytes; index += 1) huge[index] = (index * 31 + (index >> 12)) % 256;
writeFileSync(hugePath, huge);
afterAll(() => rmSync(folder, { recursive: true }));

async function openFile(path: string): Promise<LocalFile> {
  const file = await LocalFile.open(path);
  if (file === undefined) throw new Failure('notFound');
  return file;
}

test('a file of this machine is sent whole, in ranges, and on a connection that goes on', async () => {
  const { fetch, server } = startServer({ rawRoutes: [route(() => openFile(hugePath))] });
  for (let round = 0; round < 2; round += 1) {
    const answer = await fetch('/file');
    expect(answer.headers.get('content-length')).toBe(String(hugeBytes));
    expect(Buffer.from(await answer.arrayBuffer()).equals(huge)).toBe(true);
  }
  const range = await fetch('/file', { headers: { Range: `bytes=${hugeBytes - 700_001}-` } });
  expect(Buffer.from(await range.arrayBuffer()).equals(huge.subarray(-700_001))).toBe(true);
  expect(server.files.sent).toBe(0);
});

test('what is no file is not found', async () => {
  symlinkSync(hugePath, join(folder, 'link'));
  mkdirSync(join(folder, 'sub'));
  for (const name of ['nothing', 'link', 'sub', 'huge/x'])
    expect(await LocalFile.open(join(folder, name))).toBeUndefined();
  await expect(LocalFile.open(join(folder, 'x'.repeat(300)))).rejects.toThrow('ENAMETOOLONG');
});

/** Asks, and reads nothing until told to. */
function reader(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /file HTTP/1.1\r\nHost: a\r\n\r\n');
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('clients that read slowly, or leave, hold up nobody and leave nothing', async () => {
  const sources: Watched[] = [];
  const watched = () => {
    sources.push(new Watched(huge));
    return sources.at(-1)!;
  };
  const { fetch, server, port } = startServer({ rawRoutes: [route(watched)] });
  const count = 20;
  const slow = Array.from({ length: count }, () => reader(port));
  await until(() => sources.length === count && sources.every(({ reading }) => reading === 0));
  expect(Buffer.from(await (await fetch('/file')).arrayBuffer()).equals(huge)).toBe(true);
  expect(server.files.sent).toBe(count);
  for (const socket of slow.slice(1)) socket.destroy();
  await until(() => server.files.sent === 1);
  const received: Buffer[] = [];
  slow[0]!.on('data', (chunk) => received.push(chunk));
  slow[0]!.resume();
  await until(() => server.files.sent === 0);
  await until(() => slow[0]!.bytesRead > hugeBytes);
  expect(Buffer.concat(received).subarray(-hugeBytes).equals(huge)).toBe(true);
  await until(() => server.load.requests === 0);
  expect(sources.map(({ closed }) => closed)).toEqual(sources.map(() => 1));
});

test('a client that leaves while its file is opened closes it', async () => {
  const source = new Watched(small);
  let open = (): void => undefined;
  const opened = new Promise<Watched>((resolve) => {
    open = () => resolve(source);
  });
  const { server, port } = startServer({ rawRoutes: [route(() => opened)] });
  const socket = reader(port);
  await until(() => server.load.requests === 1);
  socket.destroy();
  await until(() => server.load.requests === 0);
  open();
  await until(() => source.closed === 1);
});

test('a file that became shorter ends the connection, and is told to the operator', async () => {
  const path = join(folder, 'shrinking');
  writeFileSync(path, huge);
  const { fetch, server, logged } = startServer({
    rawRoutes: [
      route(async () => {
        const file = await openFile(path);
        truncateSync(path, 100);
        return file;
      }),
    ],
  });
  const answer = await fetch('/file');
  await expect(answer.arrayBuffer()).rejects.toThrow();
  await until(() => server.files.sent === 0);
  expect(logged.map(({ level, cause }) => [level, String(cause)])).toEqual([
    ['warn', `Error: A file of ${hugeBytes} bytes ends after 100`],
  ]);
});

test('too many at a time are refused, and told to come again', async () => {
  const sources: Watched[] = [];
  const { fetch, server, port } = startServer({
    rawRoutes: [
      route(() => {
        sources.push(new Watched(huge));
        return sources.at(-1)!;
      }),
    ],
  });
  const sockets = Array.from({ length: httpLimits.fileAnswersMax }, () => reader(port));
  await until(() => server.files.sent === httpLimits.fileAnswersMax);
  const refused = await fetch('/file');
  expect([refused.status, refused.headers.has('retry-after'), sources.at(-1)!.closed]).toEqual([503, true, 1]);
  for (const socket of sockets) socket.destroy();
  await until(() => server.files.sent === 0 && sources.every(({ closed }) => closed === 1));
});

test('closing waits for a file that is being read', async () => {
  const { server, port } = startServer({ rawRoutes: [route(() => openFile(hugePath))] });
  const alice = reader(port);
  await until(() => server.files.sent === 1);
  const closed = server.close(60_000);
  alice.resume();
  expect(await closed).toBe(0);
  await until(() => alice.bytesRead > hugeBytes);
});
