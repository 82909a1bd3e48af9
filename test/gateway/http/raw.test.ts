import { describe, expect, test } from 'vitest';
import { bytes, htmlContentType, json } from '../../../src/gateway/http/answers.ts';
import { statusOf } from '../../../src/gateway/http/failures.ts';
import { rawRoute } from '../../../src/gateway/route.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import { exchangeBytes, requestText, startServer } from './support.ts';

const inbox = rawRoute({
  method: 'POST',
  path: '/users/:name/inbox',
  bodyBytesMax: 100,
  handler: async ({ request, body, pathParameters }) => {
    await Promise.resolve();
    return json({
      url: request.url,
      name: pathParameters.name,
      signature: request.header('signature') ?? null,
      joined: request.joinedHeader('x-many') ?? null,
      hex: body.toString('hex'),
    });
  },
});
const look = rawRoute({
  method: 'GET',
  path: '/look/*rest',
  handler: ({ request, pathParameters, body }) =>
    json({
      url: request.url,
      query: request.query,
      rest: pathParameters.rest,
      accept: request.header('accept') ?? null,
      absent: request.header('absent') ?? null,
      first: request.header('x-many') ?? null,
      joined: request.joinedHeader('x-many') ?? null,
      body: body.length,
    }),
});
const page = rawRoute({
  method: 'GET',
  path: '/@:name',
  handler: ({ pathParameters }) => {
    if (pathParameters.name !== 'alice') throw new Failure('notFound');
    return bytes('<p>alice</p>', { contentType: htmlContentType });
  },
  failed: (failure, request) =>
    bytes(`<p>${statusOf(failure)} for ${request.path}</p>`, {
      contentType: htmlContentType,
      status: statusOf(failure),
    }),
});
const rawRoutes = [inbox, look, page];

const bodyOf = (received: string) => JSON.parse(received.split('\r\n\r\n')[1]!) as unknown;

describe('the exact request', () => {
  test.each([
    ['GET /look/a/b%2Fc/', { url: '/look/a/b%2Fc/', query: '', rest: 'a/b/c/' }],
    ['GET /look/a?x=%20,b&&y', { url: '/look/a?x=%20,b&&y', query: 'x=%20,b&&y', rest: 'a' }],
    ['GET /look/a?', { url: '/look/a?', query: '' }],
    ['GET /look/?b?c', { url: '/look/?b?c', query: 'b?c', rest: '' }],
  ])('%s', async (line, expected) => {
    expect(bodyOf(await exchangeBytes(startServer({ rawRoutes }).port, requestText(line)))).toMatchObject(expected);
  });

  test('headers by name, the first of several or all of them', async () => {
    const text = requestText('GET /look/a', 'Accept: text/html', 'X-Many: 1', 'x-many: 2', 'Absent:');
    const received = await exchangeBytes(startServer({ rawRoutes }).port, text);
    expect(bodyOf(received)).toMatchObject({ accept: 'text/html', absent: null, first: '1', joined: '1, 2' });
  });

  test('a body byte by byte, with the headers, after the native request is gone', async () => {
    const head = requestText(
      'POST /users/b%C3%B6b/inbox?a',
      'Content-Length: 4',
      'Signature: keyId="k"',
      'X-Many: 1',
      'X-Many: 2',
    );
    const received = await exchangeBytes(
      startServer({ rawRoutes }).port,
      head,
      Buffer.from([0, 0xff]),
      Buffer.from([13, 10]),
    );
    expect(JSON.parse(Buffer.from(received, 'latin1').toString().split('\r\n\r\n')[1]!)).toEqual({
      url: '/users/b%C3%B6b/inbox?a',
      name: 'böb',
      signature: 'keyId="k"',
      joined: '1, 2',
      hex: '00ff0d0a',
    });
  });

  test('no body at all', async () => {
    const answer = await startServer({ rawRoutes }).fetch('/users/bob/inbox', { method: 'POST' });
    expect(await answer.json()).toMatchObject({ hex: '' });
  });

  test('a body above the bound of the route', async () => {
    const answer = await startServer({ rawRoutes }).fetch('/users/bob/inbox', {
      method: 'POST',
      body: 'x'.repeat(101),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ error: 'The body is larger than this server accepts' });
  });
});

test('a route may render its own failures', async () => {
  const { fetch } = startServer({ rawRoutes });
  expect(await (await fetch('/@alice')).text()).toBe('<p>alice</p>');
  const missing = await fetch('/@bob');
  expect([missing.status, await missing.text()]).toEqual([404, '<p>404 for /@bob</p>']);
});

describe('behind proxies', () => {
  const where = rawRoute({
    method: 'GET',
    path: '/where',
    handler: ({ request }) => json([request.ip, request.origin]),
  });
  const delayed = rawRoute({
    method: 'GET',
    path: '/delayed',
    handler: async ({ request }) => {
      await Promise.resolve();
      return json([request.ip, request.origin]);
    },
  });
  const local = '127.0.0.1';
  const origin = 'https://social.example';
  test.each<[string, number, string[], string, string]>([
    ['none, and no header', 0, [], local, origin],
    [
      'none, so nothing a client claims counts',
      0,
      ['X-Forwarded-For: 198.51.100.7', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: http'],
      local,
      origin,
    ],
    ['one', 1, ['X-Forwarded-For: 198.51.100.7'], '198.51.100.7', origin],
    [
      'one, behind which the client made up an address',
      1,
      ['X-Forwarded-For: 10.0.0.1, 198.51.100.7'],
      '198.51.100.7',
      origin,
    ],
    [
      'one, which added a line of its own',
      1,
      ['X-Forwarded-For: 10.0.0.1', 'X-Forwarded-For: 198.51.100.7'],
      '198.51.100.7',
      origin,
    ],
    ['two', 2, ['X-Forwarded-For: 10.0.0.1, 198.51.100.7, 192.0.2.9'], '198.51.100.7', origin],
    ['two, one of which was passed by', 2, ['X-Forwarded-For: 198.51.100.7'], local, origin],
    ['one, with IPv6', 1, ['X-Forwarded-For: [2001:db8::1]'], '2001:db8::1', origin],
    ['one, with IPv4 in IPv6 clothes', 1, ['X-Forwarded-For: ::ffff:198.51.100.7'], '198.51.100.7', origin],
    ['one, with the same in hexadecimal', 1, ['X-Forwarded-For: ::FFFF:c633:6407'], '198.51.100.7', origin],
    ['one, with nonsense', 1, ['X-Forwarded-For: unknown'], local, origin],
    ['one, with another host', 1, ['X-Forwarded-Host: other.example:8443'], local, 'https://other.example:8443'],
    [
      'one, without TLS',
      1,
      ['X-Forwarded-Host: other.example', 'X-Forwarded-Proto: http'],
      local,
      'http://other.example',
    ],
    ['one, without TLS to the public host', 1, ['X-Forwarded-Proto: http'], local, 'http://social.example'],
    ['one, with a scheme that is none', 1, ['X-Forwarded-Proto: gopher'], local, origin],
    [
      'one, behind which the client made up a host and a scheme',
      1,
      ['X-Forwarded-Host: evil.example, other.example', 'X-Forwarded-Proto: http', 'X-Forwarded-Proto: https'],
      local,
      'https://other.example',
    ],
    ['two, which say one thing', 2, ['X-Forwarded-Host: other.example'], local, 'https://other.example'],
    ['one, with a host that is none', 1, ['X-Forwarded-Host: a/b"c'], local, origin],
  ])('%s', async (_case, trustedProxyCount, headers, ip, expectedOrigin) => {
    const { port } = startServer({ rawRoutes: [where, delayed], trustedProxyCount });
    for (const path of ['/where', '/delayed']) {
      const received = await exchangeBytes(port, requestText(`GET ${path}`, ...headers));
      expect(bodyOf(received)).toEqual([ip, expectedOrigin]);
    }
  });

  test.each([
    [1, 'abc-123', 'abc-123'],
    [0, 'abc-123', undefined],
    [1, 'a b', undefined],
    [1, 'a'.repeat(65), undefined],
  ])('with %i of them, the X-Request-Id %s gives the request id %s', async (trustedProxyCount, given, kept) => {
    const { fetch } = startServer({ rawRoutes: [where], trustedProxyCount });
    const id = (await fetch('/where', { headers: { 'X-Request-Id': given } })).headers.get('x-request-id');
    if (kept === undefined) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    else expect(id).toBe(kept);
  });
});
