/** Forms with files: received byte for byte, within their limits, and leaving nothing behind however they end. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { json } from '../../../src/gateway/http/answers.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { file, required, text } from '../../../src/gateway/http/parameter-types.ts';
import { type Endpoint, endpointOver } from '../../../src/gateway/route.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import { until } from '../../support/until.ts';
import { authenticate, bearer, exchangeBytes, startServer, type TestServer } from './support.ts';

const bytesMax = 2_000_000;
const folder = join(tmpdir(), `murmuration-uploads-${process.pid}`);
const kept = join(tmpdir(), `murmuration-kept-${process.pid}`);

beforeEach(() => {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  onTestFinished(() => rmSync(kept, { force: true }));
});

const upload = endpointOver({
  method: 'POST',
  path: '/api/v2/media',
  authentication: 'user',
  scopes: ['write'],
  parameters: z.object({ file: required(file({ bytesMax })), thumbnail: file({ bytesMax: 1_000 }), description: text }),
  summary: 'Takes a file.',
  async handler(_context, { file: given, thumbnail, description }) {
    if (description === 'fail') throw new Failure('conflict');
    const shown = (one: typeof thumbnail) =>
      one && [one.filename, one.contentType, one.byteLength, readFileSync(one.path).toString('base64')];
    const answer = json({ file: shown(given), thumbnail: shown(thumbnail), description });
    if (description === 'keep') await rename(given.path, kept);
    return answer;
  },
});

const limited = endpointOver({
  method: 'POST',
  path: '/api/v2/limited',
  authentication: 'user',
  admit: () => (bytes) => {
    if (bytes > 100_000) throw new Failure('conflict', { text: 'More than it may have now' });
  },
  parameters: z.object({ file: required(file({ bytesMax })) }),
  summary: 'Takes a file of which the server decides when it comes how large it may be.',
  handler: (_context, { file: given }) => json({ bytes: given.byteLength }),
});

function start(endpoints: readonly Endpoint<unknown>[] = [upload]): TestServer {
  return startServer({ endpoints, uploadFolder: folder });
}

/** Nothing is received and no temporary file is left. */
async function expectNothingLeft({ server }: TestServer): Promise<void> {
  await until(() => readdirSync(folder).length === 0 && server.files.received === 0 && server.load.requests === 0);
  await until(() => server.files.unwrittenBytes === 0 && server.load.bodyBytes === 0);
}

function random(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0, state = 7; index < length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[index] = state >> 16;
  }
  return bytes;
}

function formOf(parts: Readonly<Record<string, string | Buffer>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts))
    form.append(name, typeof value === 'string' ? value : new File([value], `${name}.png`, { type: 'image/png' }));
  return form;
}

function post(
  server: TestServer,
  parts: Readonly<Record<string, string | Buffer>>,
  token = 'alice',
): Promise<Response> {
  return server.fetch('/api/v2/media', { method: 'POST', body: formOf(parts), ...bearer(token) });
}

async function shownOf(answer: Response): Promise<unknown[]> {
  return ((await answer.json()) as { file: unknown[] }).file;
}

const lengths = [
  0,
  1,
  httpLimits.pieceBytes,
  httpLimits.uploadBytesAtOnce - 1,
  httpLimits.uploadBytesAtOnce + 1,
  bytesMax,
];

test.each(lengths)('a file of %d bytes arrives as it is, beside others and texts', async (length) => {
  const server = start();
  const content = random(length);
  const answer = await post(server, {
    description: 'Möwe',
    file: content,
    unknown: random(9),
    thumbnail: random(1_000),
  });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      file: ['file.png', 'image/png', length, content.toString('base64')],
      thumbnail: ['thumbnail.png', 'image/png', 1_000, random(1_000).toString('base64')],
      description: 'Möwe',
    },
  ]);
  await expectNothingLeft(server);
});

test('what a handler moves elsewhere is kept', async () => {
  const server = start();
  expect((await post(server, { description: 'keep', file: random(70_000) })).status).toBe(200);
  await expectNothingLeft(server);
  expect(readFileSync(kept).equals(random(70_000))).toBe(true);
});

test('many are received at once, and the connections go on', async () => {
  const server = start();
  const contents = Array.from({ length: 20 }, (_, index) => random(100_000 + index * 50_000));
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(contents.map(async (content) => shownOf(await post(server, { file: content }))));
    const arrived = answers.map(([, , length, bytes]) => [length, bytes]);
    expect(arrived).toEqual(contents.map((content) => [content.length, content.toString('base64')]));
  }
  await expectNothingLeft(server);
});

describe('refused, with nothing left:', () => {
  const some = random(300_000);
  const cases: readonly [
    what: string,
    status: number,
    words: string,
    parts: Parameters<typeof post>[1],
    token?: string,
  ][] = [
    ['no valid token', 401, 'The access token is invalid', { file: some }, 'nobody'],
    ['a token without the scope', 403, 'outside the authorized scopes', { file: some }, 'bob'],
    ['a file that is too large', 413, 'The file thumbnail has more than 1000 bytes', { file: some, thumbnail: some }],
    ['more than all files may have', 413, 'larger than this server accepts', { file: random(bytesMax + 300_000) }],
    ['more text than is read', 413, 'larger than this server', { file: some, description: 'a'.repeat(270_000) }],
    ['no file', 422, "File can't be blank", { description: 'a' }],
    ['a text in place of the file', 422, "File can't be blank", { file: 'https://cdn.example/old.png' }],
    ['a failure of the handler', 409, 'Conflict', { description: 'fail', file: some }],
  ];
  test.each(cases)('%s', async (_what, status, words, parts, token) => {
    const server = start();
    const answer = await post(server, parts, token);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)]);
    await expectNothingLeft(server);
    expect(server.logged).toEqual([]);
  });

  test('two files under one name', async () => {
    const server = start();
    const body = formOf({ file: some });
    body.append('file', new File([some], 'b.png'));
    const answer = await server.fetch('/api/v2/media', { method: 'POST', body, ...bearer('alice') });
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'The file file is given twice' }]);
    await expectNothingLeft(server);
  });

  test('forms outside the grammar', async () => {
    const server = start();
    const { port } = server;
    const head = partHead('file', 'a.png');
    for (const body of ['x', `--b\r\n${head}\r\n\r\nabc`, `--b\r\n${head}\r\n\r\nabc\r\n--b\r\n`]) {
      expect(await exchangeBytes(port, requestHead(body.length, 'Connection: close'), body)).toContain(
        '400 Bad Request',
      );
      await expectNothingLeft(server);
    }
  });

  test('where no boundary is named', async () => {
    const server = start();
    const headers = { 'Content-Type': 'multipart/form-data', ...bearer('alice').headers };
    const answer = await server.fetch('/api/v2/media', { method: 'POST', body: 'x', headers });
    expect(answer.status).toBe(400);
    await expectNothingLeft(server);
  });
});

test('how much is received may be decided when it comes, whether its length was announced or not', async () => {
  const server = start([limited]);
  const send = (bytes: number, headers: Record<string, string> = {}) =>
    server.fetch('/api/v2/limited', {
      ...{ method: 'POST', body: formOf({ file: random(bytes) }) },
      headers: { ...bearer('alice').headers, ...headers },
    });
  expect(await (await send(90_000)).json()).toEqual({ bytes: 90_000 });
  expect((await send(110_000)).status).toBe(409);
  await expectNothingLeft(server);
  const head = requestHead(0, 'Transfer-Encoding: chunked')
    .replace('/api/v2/media', '/api/v2/limited')
    .replace('Content-Length: 0\r\n', '');
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  const chunk = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  socket.write(head);
  chunk(`--b\r\n${partHead('file', 'a')}\r\n\r\n`);
  // It has no end.
  const sending = setInterval(() => chunk('x'.repeat(20_000)), 1);
  onTestFinished(() => clearInterval(sending));
  await until(() => answer.startsWith('HTTP/1.1 409 '));
  await expectNothingLeft(server);
});

test('a small form may contain its token, but then no file', async () => {
  const server = start();
  const send = (token: string) =>
    server.fetch('/api/v2/media', { method: 'POST', body: formOf({ access_token: token, file: random(10) }) });
  expect([(await send('nobody')).status, (await send('alice')).status]).toEqual([401, 422]);
  await expectNothingLeft(server);
});

test('other kinds of bodies are taken without files', async () => {
  const server = start();
  const headers = { 'Content-Type': 'application/json', ...bearer('alice').headers };
  const answer = await server.fetch('/api/v2/media', { method: 'POST', body: '{"file":"x"}', headers });
  expect(await answer.json()).toEqual({ error: "Validation failed: File can't be blank" });
});

function partHead(name: string, filename: string): string {
  return `Content-Disposition: form-data; name="${name}"; filename="${filename}"`;
}

function requestHead(length: number, ...lines: readonly string[]): string {
  const all = ['Host: a', 'Authorization: Bearer alice', 'Content-Type: multipart/form-data; boundary=b', ...lines];
  return `POST /api/v2/media HTTP/1.1\r\n${all.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n`;
}

function sender(port: number, token = 'alice'): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(requestHead(bytesMax, `X-Token: ${token}`).replace('Bearer alice', `Bearer ${token}`));
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe('of clients that leave', () => {
  test.each([
    ['in a text', `--b\r\nContent-Disposition: form-data; name="description"\r\n\r\nabc`],
    ['in a head', `--b\r\n${partHead('file', 'a')}`],
    ['in a small file', `--b\r\n${partHead('file', 'a')}\r\n\r\nabc`],
    ['in a large file', `--b\r\n${partHead('file', 'a')}\r\n\r\n${'x'.repeat(1_000_000)}`],
    ['before anything', ''],
  ])('%s, nothing is left', async (_what, sent) => {
    const server = start();
    const socket = sender(server.port);
    await until(() => server.server.files.received === 1);
    await new Promise((resolve) => socket.write(sent, resolve));
    if (sent.includes('filename') && sent.includes('\r\n\r\n')) await until(() => readdirSync(folder).length === 1);
    socket.destroy();
    await expectNothingLeft(server);
    expect(server.logged).toEqual([]);
  });
});

test('what comes before the token is known waits, and is bounded', async () => {
  let admit = (): void => undefined;
  const server = startServer({
    endpoints: [upload],
    uploadFolder: folder,
    bodyBytesInFlightMax: 100_000,
    authenticate: () =>
      new Promise((resolve) => {
        admit = () => resolve(authenticate('alice'));
      }),
  });
  const large = exchangeBytes(server.port, requestHead(1_000_000, 'Connection: close'), Buffer.alloc(1_000_000));
  await until(() => server.server.load.requests === 1);
  expect(server.server.load.bodyBytes).toBeLessThanOrEqual(100_000);
  admit();
  expect(await large).toContain('HTTP/1.1 503 ');
  await expectNothingLeft(server);
});

test('too many at a time are refused, and told to come again', async () => {
  const server = start();
  const sockets = Array.from({ length: httpLimits.uploadsMax }, () => sender(server.port));
  await until(() => server.server.files.received === httpLimits.uploadsMax);
  const refused = await post(server, { file: random(10) });
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
  for (const socket of sockets) socket.destroy();
  await expectNothingLeft(server);
  expect((await post(server, { file: random(10) })).status).toBe(200);
});

test('a disk that takes no file is told to the client and the operator', async () => {
  const server = start();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  const answer = await post(server, { file: random(10) });
  expect([answer.status, server.logged.map(({ level }) => level)]).toEqual([503, ['warn']]);
  rmSync(folder);
  mkdirSync(folder);
  expect((await post(server, { file: random(10) })).status).toBe(200);
  await expectNothingLeft(server);
});

test('what a server left that was killed is removed at the next start', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'left'), 'x');
  await expectNothingLeft(start());
});
