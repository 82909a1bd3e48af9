import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bytes, empty, htmlContentType, json } from '../../../src/gateway/http/answers.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { text } from '../../../src/gateway/http/parameter-types.ts';
import { endpointOver, type RawRoute, rawRoute } from '../../../src/gateway/route.ts';
import { bearer, exchangeBytes, requestText, startServer } from './support.ts';

const show = endpointOver({
  method: 'GET',
  path: '/api/v1/show',
  authentication: 'optional',
  summary: 'Shows.',
  handler: () => json({ shown: 'möwe' }),
});
const write = endpointOver({
  method: 'POST',
  path: '/api/v1/write',
  authentication: 'optional',
  parameters: z.object({ a: text }),
  bodyBytesMax: 1_000,
  summary: 'Writes.',
  handler: (_context, { a }) => json({ length: a?.length ?? 0 }),
});
const update = endpointOver({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/update',
  authentication: 'optional',
  summary: 'Updates.',
  handler: () => empty(),
});
const endpoints = [show, write, update];

describe('routing', () => {
  test.each([
    ['GET', '/api/v1/show', 200, null],
    ['GET', '/api/v1/show/', 200, null],
    ['GET', '/api/v1/show?a=b', 200, null],
    ['PUT', '/api/v1/update', 200, null],
    ['PATCH', '/api/v1/update', 200, null],
    ['POST', '/api/v1/show', 405, 'GET'],
    ['GET', '/api/v1/update', 405, 'PUT, PATCH'],
    ['PROPFIND', '/api/v1/show', 405, 'GET'],
    ['GET', '/api/v1/nothing', 404, null],
    ['GET', '/api/v1/show/more', 404, null],
    ['DELETE', '/nothing', 404, null],
  ])('%s %s is %i', async (method, path, status, allowed) => {
    const answer = await startServer({ endpoints }).fetch(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allowed]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    if (status === 404) expect(await answer.json()).toEqual({ error: 'Record not found' });
  });

  test('no answer names the software that wrote it', async () => {
    const { port } = startServer({ endpoints });
    for (const path of ['/api/v1/show', '/nothing'])
      expect(await exchangeBytes(port, requestText(`GET ${path}`))).not.toMatch(
        /^(?:uwebsockets|server|x-powered-by):/im,
      );
  });

  test('HEAD is GET without the body', async () => {
    const { port } = startServer({ endpoints });
    const [head, body] = (await exchangeBytes(port, requestText('HEAD /api/v1/show'))).split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 200 OK');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength('{"shown":"möwe"}')}`);
    expect(body).toBe('');
  });

  test('unknown paths may have a page, but not those of the API', async () => {
    const { fetch } = startServer({
      endpoints,
      notFoundPage: ({ request }) => bytes(`<p>No ${request.path}</p>`, { contentType: htmlContentType, status: 404 }),
    });
    const page = await fetch('/@nobody');
    expect([page.status, await page.text()]).toEqual([404, '<p>No /@nobody</p>']);
    expect(await (await fetch('/api/v1/nothing')).json()).toEqual({ error: 'Record not found' });
    expect((await fetch('/@nobody', { method: 'POST' })).headers.get('content-type')).toContain('json');
  });
});

test.each([
  '//api/v1/show',
  '/api//v1/show/',
  '/api/v1/sh%6Fw',
  '/api/v1/show.json',
])('%s is served like /api/v1/show', async (path) => {
  const { port } = startServer({ endpoints });
  const received = await exchangeBytes(port, requestText(`GET ${path}`));
  expect(received).toContain('Access-Control-Allow-Origin: *');
  expect(received.split('\r\n\r\n')[1]).toContain('"shown"');
});

test('two slashes are left in the query and in the target that signatures cover', async () => {
  const look = rawRoute({
    method: 'GET',
    path: '/look/:what',
    handler: ({ request }) => json([request.path, request.query, request.url]),
  });
  const received = await exchangeBytes(
    startServer({ rawRoutes: [look] }).port,
    requestText('GET //look/%40a%2Fb?c=//d%40'),
  );
  expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual(['/look/@a%2Fb', 'c=//d%40', '//look/%40a%2Fb?c=//d%40']);
});

describe('other origins', () => {
  const rawRoutes: RawRoute<unknown>[] = [
    '/oauth/token',
    '/oauth/authorize',
    '/.well-known/webfinger',
    '/users/:name',
    '/users/:name/outbox',
    '/@:name',
    '/@:name/:id',
  ].map((path) => rawRoute({ method: 'GET', path, handler: () => empty() }));

  test.each([
    ['/api/v1/show', true],
    ['/api/v1/nothing', true],
    ['/oauth/token', true],
    ['/oauth/token/', true],
    ['/.well-known/webfinger', true],
    ['/oauth/authorize', false],
    ['/users/alice', true],
    ['/users/alice/outbox', false],
    ['/@alice', true],
    ['/@alice/1', false],
  ])('%s is open to them: %s', async (path, isOpen) => {
    const { fetch } = startServer({ endpoints, rawRoutes });
    const preflight = await fetch(path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://phanpy.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(isOpen ? 204 : 405);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(isOpen ? '*' : null);
    expect((await fetch(path)).headers.get('access-control-allow-origin')).toBe(isOpen ? '*' : null);
  });

  test('a preflight says what is allowed, and looks at no token', async () => {
    const options = { method: 'OPTIONS', ...bearer('mallory') };
    const { headers } = await startServer({ endpoints }).fetch('/api/v1/write', options);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toMatch(
      /^Authorization, Content-Type, Idempotency-Key, Last-Event-ID, /,
    );
    expect(headers.get('access-control-max-age')).toBe('86400');
  });
});

describe('large requests', () => {
  const post = (length: number, ...lines: string[]) =>
    `POST /api/v1/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n${lines.join('')}\r\n`;

  test.each([
    ['at the bound', 1_000, 200],
    ['above it', 1_001, 413],
    ['far above it', 5_000_000, 413],
  ])('a body %s', async (_case, length, status) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `a=${'b'.repeat(length - 2)}`;
    const answer = await startServer({ endpoints }).fetch('/api/v1/write', { method: 'POST', body, headers });
    expect(answer.status).toBe(status);
  });

  test('a refused body is thrown away, and the connection serves on', async () => {
    const { port } = startServer({ endpoints });
    const received = await exchangeBytes(port, post(100_000), 'b'.repeat(100_000), requestText('GET /api/v1/show'));
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('a body that is announced beyond all measure ends the connection', async () => {
    const { port } = startServer({ endpoints });
    const received = await exchangeBytes(port, post(httpLimits.discardedBodyBytesMax + 1), 'b');
    expect(received).toContain('HTTP/1.1 413');
  });

  test('a body without a length is read, and cut off at the bound', async () => {
    const { port } = startServer({ endpoints });
    const head = requestText(
      'POST /api/v1/write',
      'Transfer-Encoding: chunked',
      'Content-Type: application/x-www-form-urlencoded',
    );
    expect(await exchangeBytes(port, head, '4\r\na=bb\r\n1\r\nb\r\n0\r\n\r\n')).toContain('{"length":3}');
    expect(await exchangeBytes(port, head, `800\r\n${'b'.repeat(0x800)}\r\n`)).toContain('HTTP/1.1 413');
  });

  test('a body that turns out to be empty may have any type', async () => {
    const { port } = startServer({ endpoints });
    const head = requestText('POST /api/v1/write', 'Transfer-Encoding: chunked', 'Content-Type: text/plain');
    expect(await exchangeBytes(port, head, '0\r\n\r\n')).toContain('{"length":0}');
    expect(await exchangeBytes(port, head, '1\r\na\r\n0\r\n\r\n')).toContain('HTTP/1.1 415');
  });

  test('a body in pieces arrives whole', async () => {
    const { port } = startServer({ endpoints });
    expect(await exchangeBytes(port, post(6, 'Connection: close\r\n'), 'a=', 'b', 'bbb')).toContain('{"length":4}');
  });

  test('long heads are read', async () => {
    const answer = await startServer({ endpoints }).fetch(`/api/v1/show?a=${'b'.repeat(12_000)}`);
    expect(answer.status).toBe(200);
  });

  test('a request without a token is refused before its large body is received', async () => {
    const upload = endpointOver({
      method: 'POST',
      path: '/api/v2/media',
      authentication: 'user',
      parameters: z.object({ a: text }),
      bodyBytesMax: httpLimits.bodyBytesMax * 40,
      summary: 'Takes a file.',
      handler: () => empty(),
    });
    const { port } = startServer({ endpoints: [upload] });
    const head =
      'POST /api/v2/media HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 40000000\r\n\r\n';
    expect(await exchangeBytes(port, head, '{"access_token":"alice"')).toContain('HTTP/1.1 401');
  });
});
