/**
 * Where a request ends: nothing that a proxy in front could have read otherwise is read as a request of its own, and bodies
 * that are not understood are refused.
 */
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { Answer, json } from '../../../src/gateway/http/answers.ts';
import { fileAnswer } from '../../../src/gateway/http/files/file-answer.ts';
import { text } from '../../../src/gateway/http/parameter-types.ts';
import { endpointOver, rawRoute } from '../../../src/gateway/route.ts';
import { LocalFile } from '../../../src/services/blobs/local-file.ts';
import { until } from '../../support/until.ts';
import { exchangeBytes, requestText, startServer } from './support.ts';

/** What was reached. */
function start() {
  const reached: string[] = [];
  const note = (path: string) => {
    reached.push(path);
    return json({ path });
  };
  const write = (path: string, handler: () => Answer | Promise<Answer>) =>
    endpointOver({
      method: 'POST',
      path,
      authentication: 'optional',
      parameters: z.object({ a: text }),
      summary: 'Writes.',
      handler,
    });
  const read = (path: string, body: () => Answer) =>
    endpointOver({ method: 'GET', path, authentication: 'optional', summary: 'Reads.', handler: body });
  const server = startServer({
    endpoints: [
      write('/api/v1/quick', () => note('quick')),
      write('/api/v1/slow', async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return note('slow');
      }),
      write('/api/v1/unwritable', () => new Answer(200, undefined, '', { X: '\n' }, undefined)),
      read('/api/v1/read', () => note('read')),
      read('/api/v1/large', () => {
        reached.push('large');
        return json('a'.repeat(500_000));
      }),
      read('/api/v1/behind', () => note('behind')),
    ],
    rawRoutes: [
      rawRoute({ method: 'POST', path: '/raw', handler: () => note('raw') }),
      rawRoute({ method: 'POST', path: '/none', handler: () => new Answer(204, undefined, '', undefined, undefined) }),
      rawRoute({
        method: 'GET',
        path: '/file',
        handler: async ({ request }) =>
          fileAnswer(request, (await LocalFile.open(import.meta.filename))!, {
            contentType: 'text/plain',
            etag: '"a"',
          }),
      }),
    ],
  });
  return { ...server, reached };
}

function chunked(line: string, ...more: readonly string[]): string {
  const lines = ['Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked', ...more];
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

const behind = 'GET /api/v1/behind HTTP/1.1\r\nHost: a\r\n\r\n';
const body = '2\r\n{}\r\n0\r\n\r\n';

/** Its answer, and then what was sent behind it on the same connection, in one go or once the head was received. */
async function afterwards(port: number, head: string, rest: string, isWhole: boolean): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  if (isWhole) {
    socket.write(head + rest);
  } else {
    socket.write(head);
    // A second connection is answered later than the head of the first was received.
    await exchangeBytes(port, requestText('GET /api/v1/read'));
    if (socket.writable) socket.write(rest);
  }
  await until(() => isClosed, { description: 'the connection to be closed' });
  return received;
}

const served: readonly [line: string, status: number][] = [
  ['POST /api/v1/quick', 200],
  ['POST /api/v1/slow', 200],
  ['POST /api/v1/nowhere', 404],
  ['PUT /api/v1/quick', 405],
  ['GET /api/v1/read', 200],
  ['GET /api/v1/large', 200],
  ['POST /raw', 200],
  ['HEAD /api/v1/read', 200],
  ['POST /api/v1/unwritable', 500],
  ['GET /file', 400],
];

describe.each(served)('%s in chunks', (line, status) => {
  test('is answered, and its connection is closed', async () => {
    const { port } = start();
    expect(await exchangeBytes(port, chunked(line) + body)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test.each([
    ['a further request', `${body}${behind}`],
    ['a trailer', `2\r\n{}\r\n0\r\nX: y\r\n\r\n${behind}`],
    ['a trailer that is a request', `2\r\n{}\r\n0\r\n${behind}`],
    ['chunks that end in line feeds', `2\n{}\n0\n\n${behind}`],
    ['chunks with something else at their end', `2\r\n{}XX0\r\n\r\n${behind}`],
  ])('and then %s: that is no request', async (_what, rest) => {
    const { port, reached } = start();
    for (const isWhole of [true, false]) await afterwards(port, chunked(line), rest, isWhole);
    expect(reached).not.toContain('behind');
  });
});

test.each([
  ['OPTIONS /api/v1/read', 204],
  ['POST /none', 204],
])('%s in chunks is answered without a body, and nothing behind it is a request', async (line, status) => {
  const { port, reached } = start();
  for (const isWhole of [true, false]) await afterwards(port, chunked(line), `${body}${behind}`, isWhole);
  expect(reached).not.toContain('behind');
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(chunked(line) + body);
  const [answer] = (await new Promise((resolve) => socket.once('data', (data) => resolve([data.toString()])))) as [
    string,
  ];
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

const unclear: readonly [what: string, lines: readonly string[], words: string][] = [
  ['chunks of chunks', ['Transfer-Encoding: chunked, chunked'], 'a transfer coding other than chunked'],
  ['compressed chunks', ['Transfer-Encoding: gzip, chunked'], 'a transfer coding other than chunked'],
  ['no coding at all', ['Transfer-Encoding: identity'], 'a transfer coding other than chunked'],
  ['an unnamed coding', ['Transfer-Encoding: '], 'a transfer coding other than chunked'],
  ['an empty length', ['Content-Length: '], 'The length of the body is empty'],
  ['two empty lengths', ['Content-Length: ', 'Content-Length: '], 'The length of the body is given twice'],
];

test.each(unclear)('%s: 400, and nothing behind it is a request', async (_what, lines, words) => {
  const { port, reached } = start();
  const head = `POST /api/v1/quick HTTP/1.1\r\nHost: a\r\n${lines.join('\r\n')}\r\n\r\n`;
  const answer = await exchangeBytes(port, head);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain(words);
  for (const isWhole of [true, false]) await afterwards(port, head, `${body}${behind}`, isWhole);
  expect(reached).toEqual(reached.filter((path) => path === 'read'));
});

test('the name of the coding may be written in capitals', async () => {
  const { port } = start();
  const head = chunked('POST /api/v1/quick').replace(': chunked', ': Chunked');
  expect(await exchangeBytes(port, head + body)).toMatch(/^HTTP\/1\.1 200 /);
});

describe('a compressed body', () => {
  test.each(['/api/v1/quick', '/raw'])('is refused with 415: %s', async (path) => {
    const { fetch, reached } = start();
    for (const coding of ['gzip', 'br', 'GZIP', 'gzip, identity']) {
      const answer = await fetch(path, { method: 'POST', body: 'x', headers: { 'Content-Encoding': coding } });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        { error: 'This server accepts no compressed bodies' },
      ]);
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
    expect(reached).toEqual([]);
  });

  test('that is not compressed is taken', async () => {
    const headers = { 'Content-Encoding': 'Identity', 'Content-Type': 'application/json' };
    expect((await start().fetch('/api/v1/quick', { method: 'POST', body: '{}', headers })).status).toBe(200);
  });
});

test('every answer forbids guessing its type, and says how long its connection is kept', async () => {
  const { fetch, port } = start();
  for (const [path, method] of [
    ['/api/v1/read', 'GET'],
    ['/api/v1/large', 'GET'],
    ['/raw', 'POST'],
    ['/file', 'GET'],
    ['/api/v1/nowhere', 'GET'],
    ['/nowhere', 'GET'],
    ['/api/v1/read', 'DELETE'],
    ['/api/v1/read', 'OPTIONS'],
  ] as const) {
    const { headers } = await fetch(path, { method });
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
  }
  const kept = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.once('data', (data) => resolve(data.toString()));
    socket.write('GET /api/v1/read HTTP/1.1\r\nHost: a\r\n\r\n');
  });
  expect(kept).toContain('\r\nKeep-Alive: timeout=8\r\n');
  expect(await exchangeBytes(port, chunked('GET /api/v1/read') + body)).not.toContain('Keep-Alive: ');
});
