import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Answer, bytes, empty, json, jsonContentType, redirect } from '../../../src/gateway/http/answers.ts';
import type { OpenContext, UserContext } from '../../../src/gateway/http/context.ts';
import { id, limit, text } from '../../../src/gateway/http/parameter-types.ts';
import { endpointOver } from '../../../src/gateway/route.ts';
import { Failure, validationFailure } from '../../../src/runtime/errors.ts';
import { bearer, startServer, type TestServices } from './support.ts';

const open = endpointOver({
  method: 'GET',
  path: '/api/v1/open/:id',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: z.object({ id }),
  summary: 'Says who asks.',
  handler: (context: OpenContext<TestServices>, parameters) =>
    json({ id: `${parameters.id}`, token: context.grant?.tokenId ?? null, services: context.services.name }),
});
const forApplications = endpointOver({
  method: 'GET',
  path: '/api/v1/application',
  authentication: 'app',
  summary: 'Any token.',
  handler: () => empty(),
});
const forUsers = endpointOver({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/user',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object({ display_name: text }),
  summary: 'The token of a user.',
  handler: (context: UserContext<TestServices>, parameters) =>
    json({ account: `${context.grant.accountId}`, name: parameters.display_name ?? null }),
});
const forNewcomers = endpointOver({
  method: 'POST',
  path: '/api/v1/newcomer',
  authentication: 'none',
  parameters: z.object({ display_name: text }),
  summary: 'How one comes by a token.',
  handler: (context: OpenContext<TestServices>) => json({ token: context.grant?.tokenId ?? null }),
});
const endpoints = [open, forApplications, forUsers, forNewcomers];

describe('who may come in', () => {
  const put = { method: 'PUT' };
  test.each([
    ['nobody, where a token is optional', '/api/v1/open/1', {}, 200, { id: '1', token: null, services: 'murmuration' }],
    ['a user, where a token is optional', '/api/v1/open/1', bearer('alice'), 200, { token: 'alice' }],
    ['the very scope', '/api/v1/open/1', bearer('bob'), 200, { token: 'bob' }],
    [
      'a scheme in small letters',
      '/api/v1/open/1',
      { headers: { Authorization: 'bearer alice' } },
      200,
      { token: 'alice' },
    ],
    ['a token in the query', '/api/v1/open/1?access_token=alice', {}, 200, { token: 'alice' }],
    [
      'a client that authenticates itself',
      '/api/v1/open/1',
      { headers: { Authorization: 'Basic YTpi' } },
      200,
      { token: null },
    ],
    [
      'an unknown token, where one is optional',
      '/api/v1/open/1',
      bearer('mallory'),
      401,
      { error: 'The access token is invalid' },
    ],
    [
      'a token beyond all bounds',
      '/api/v1/open/1',
      bearer('a'.repeat(2_000)),
      401,
      { error: 'The access token is invalid' },
    ],
    ['a login that is disabled', '/api/v1/open/1', bearer('carol'), 403, { error: 'Your login is currently disabled' }],
    ['nobody, where a token is needed', '/api/v1/application', {}, 401, { error: 'The access token is invalid' }],
    ['an application, where any token will do', '/api/v1/application', bearer('application'), 200, {}],
    ['nobody, where a user is needed', '/api/v1/user', put, 401, { error: 'The access token is invalid' }],
    [
      'a user, where one is needed',
      '/api/v1/user',
      { ...put, ...bearer('alice') },
      200,
      { account: '109000000000000001' },
    ],
    [
      'an application, where a user is needed',
      '/api/v1/user',
      { ...put, ...bearer('application') },
      422,
      { error: 'This method requires an authenticated user' },
    ],
    [
      'another scope',
      '/api/v1/user',
      { ...put, ...bearer('bob') },
      403,
      { error: 'This action is outside the authorized scopes' },
    ],
    ['a token that takes time to look up', '/api/v1/user', { ...put, ...bearer('slow-alice') }, 200, { name: null }],
    [
      'an unknown token that takes time',
      '/api/v1/user',
      { ...put, ...bearer('slow-mallory') },
      401,
      { error: 'The access token is invalid' },
    ],
    [
      'a disabled login that takes time',
      '/api/v1/user',
      { ...put, ...bearer('slow-carol') },
      403,
      { error: 'Your login is currently disabled' },
    ],
  ])('%s', async (_case, path, options, status, body) => {
    const answer = await startServer({ endpoints }).fetch(path, options);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject(body);
  });

  test.each([
    ['a stale one', { ...bearer('mallory') }],
    ['that of a disabled login', { ...bearer('carol') }],
    ['a good one', { ...bearer('alice') }],
    [
      'a stale one in the body',
      { body: 'access_token=mallory', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    ],
  ])('no token stands in the way where none is asked for: %s', async (_case, options) => {
    const answer = await startServer({ endpoints }).fetch('/api/v1/newcomer', { method: 'POST', ...options });
    expect([answer.status, await answer.json()]).toEqual([200, { token: null }]);
  });

  test.each([
    ['JSON', 'application/json', '{"access_token":"alice","display_name":"Alice"}', 200],
    ['a form', 'application/x-www-form-urlencoded', 'access_token=alice&display_name=Alice', 200],
    ['a form, unknown', 'application/x-www-form-urlencoded', 'access_token=mallory', 401],
    ['a form without one', 'application/x-www-form-urlencoded', 'display_name=Alice', 401],
  ])('a token in %s', async (_case, contentType, body, status) => {
    const options = { method: 'PATCH', body, headers: { 'Content-Type': contentType } };
    const answer = await startServer({ endpoints }).fetch('/api/v1/user', options);
    expect(answer.status).toBe(status);
  });
});

describe('headers', () => {
  test('an answer to a user is private', async () => {
    const answer = await startServer({ endpoints }).fetch('/api/v1/open/1', bearer('alice'));
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      vary: 'Authorization',
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Mastodon-Async-Refresh',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  test('an answer to nobody may be kept, and request ids differ', async () => {
    const { fetch } = startServer({ endpoints });
    const [one, other] = [await fetch('/api/v1/open/1'), await fetch('/api/v1/open/1')];
    expect(one.headers.get('cache-control')).toBeNull();
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
  });

  test('a handler cannot make an answer to a user public, and its other headers are sent', async () => {
    const headers = { 'Cache-Control': 'public, max-age=60', Deprecation: '@1700000000' };
    const cached = endpointOver({
      method: 'GET',
      path: '/api/v1/cached',
      authentication: 'optional',
      summary: 'May be kept.',
      handler: () => json([], { headers }),
    });
    const { fetch } = startServer({ endpoints: [cached] });
    expect((await fetch('/api/v1/cached')).headers.get('cache-control')).toBe('public, max-age=60');
    const toAlice = await fetch('/api/v1/cached', bearer('alice'));
    expect(toAlice.headers.get('cache-control')).toBe('private, no-store');
    expect(toAlice.headers.get('deprecation')).toBe('@1700000000');
  });

  test('a 401 names the scheme', async () => {
    const answer = await startServer({ endpoints }).fetch('/api/v1/application');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

test('what was made of a query once is good for every path, and for that query alone', async () => {
  const named = endpointOver({
    method: 'GET',
    path: '/api/v1/named/:id/:name',
    authentication: 'optional',
    parameters: z.object({ id, name: text, limit: limit(20, 40), title: text }),
    summary: 'Says what it was given.',
    handler: (_context: OpenContext<TestServices>, { id: given, ...rest }) => json({ id: `${given}`, ...rest }),
  });
  const { fetch } = startServer({ endpoints: [named] });
  const asked: [path: string, status: number, body?: unknown][] = [
    ['/api/v1/named/1/one?limit=3&title=T', 200, { id: '1', name: 'one', limit: 3, title: 'T' }],
    ['/api/v1/named/2/two%20words?limit=3&title=T', 200, { id: '2', name: 'two words', limit: 3, title: 'T' }],
    ['/api/v1/named/2/two?limit=3&id=7&name=seven', 200, { id: '2', name: 'two', limit: 3 }],
    ['/api/v1/named/3/three?limit=3&id=7&name=seven', 200, { id: '3', name: 'three', limit: 3 }],
    ['/api/v1/named/none/one?limit=3&title=T', 404],
    ['/api/v1/named/1/%zz?limit=3&title=T', 400],
    ['/api/v1/named/1/one?limit=5&title=T', 200, { id: '1', name: 'one', limit: 5, title: 'T' }],
    ['/api/v1/named/1/one', 200, { id: '1', name: 'one', limit: 20 }],
    ['/api/v1/named/4/four', 200, { id: '4', name: 'four', limit: 20 }],
  ];
  for (const [path, status, body] of asked) {
    const answer = await fetch(path);
    expect([path, answer.status]).toEqual([path, status]);
    if (body !== undefined) expect(await answer.json()).toEqual(body);
  }
});

describe('answers', () => {
  const answering = (handler: () => ReturnType<typeof json> | Promise<ReturnType<typeof json>>) =>
    startServer({
      endpoints: [
        endpointOver({ method: 'GET', path: '/api/v1/it', authentication: 'optional', summary: 'It.', handler }),
      ],
    });

  test.each([
    ['JSON', () => json({ a: 1 }), 200, 'application/json; charset=utf-8', '{"a":1}'],
    ['JSON with another status', () => json([], { status: 206 }), 206, 'application/json; charset=utf-8', '[]'],
    ['JSON that is not ASCII', () => json('zwölf 🐦'), 200, 'application/json; charset=utf-8', '"zwölf 🐦"'],
    ['nothing to say', () => empty(), 200, 'application/json; charset=utf-8', '{}'],
    ['bytes', () => bytes(Buffer.from('{"b":2}'), { contentType: jsonContentType }), 200, jsonContentType, '{"b":2}'],
    ['other bytes', () => bytes('a,b', { contentType: 'text/csv', status: 202 }), 202, 'text/csv', 'a,b'],
    ['later', () => Promise.resolve(json('later')), 200, 'application/json; charset=utf-8', '"later"'],
  ])('%s', async (_case, handler, status, contentType, body) => {
    const answer = await answering(handler).fetch('/api/v1/it');
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      status,
      contentType,
      body,
    ]);
  });

  test('a redirect', async () => {
    const answer = await answering(() => redirect('https://elsewhere.example/a', 307)).fetch('/api/v1/it');
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'https://elsewhere.example/a']);
  });

  test.each([
    ['a header with a line break', () => redirect('https://elsewhere.example/\r\nSet-Cookie: a=b')],
    ['a status that does not exist', () => json({}, { status: 299 })],
    ['a value that JSON cannot hold', () => json({ id: 1n })],
    [
      'a bug',
      (): never => {
        throw new TypeError('undefined is not a status');
      },
    ],
    ['a bug, later', () => Promise.reject(new TypeError('undefined is not a status'))],
  ])('%s is a 500 without a trace, and the cause is in the log', async (_case, handler) => {
    const { fetch, logged } = answering(handler);
    const answer = await fetch('/api/v1/it');
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: 'Something went wrong on our side' });
    expect(logged).toMatchObject([
      { level: 'error', method: 'GET', path: '/api/v1/it', requestId: answer.headers.get('x-request-id') },
    ]);
    expect(logged[0]?.cause).toBeInstanceOf(Error);
  });

  const unreached = { error: 'Remote data could not be fetched' };

  test.each([
    ['by its table text', new Failure('notFound'), 404, { error: 'Record not found' }],
    [
      'with details',
      validationFailure('Username is taken', { details: { details: { username: [] } } }),
      422,
      { error: 'Validation failed: Username is taken', details: { username: [] } },
    ],
    ['of another server', new Failure('remoteUnreachable', { cause: 'refused' }), 503, unreached, ['refused']],
    ['of one that somebody asked for', new Failure('remoteUnreachable'), 503, unreached],
  ])('a failure %s', async (_case, failure, status, body, causes: readonly string[] = []) => {
    const { fetch, logged } = answering(() => Promise.reject(failure));
    const answer = await fetch('/api/v1/it');
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(body);
    expect(logged.map(({ level, cause }) => ({ level, cause }))).toEqual(
      causes.map((cause) => ({ level: 'warn', cause })),
    );
  });

  test.each([
    [new Failure('invalidGrant', { text: 'The code has expired' }), 400, 'invalid_grant', 'The code has expired'],
    [new Failure('invalidClient'), 401, 'invalid_client', 'invalid_client'],
    [new Failure('unauthorizedClient'), 403, 'unauthorized_client', 'unauthorized_client'],
    [new Failure('parameterMissing'), 400, 'invalid_request', 'A required parameter is missing'],
    [new Failure('tokenInvalid'), 401, 'invalid_token', 'The access token is invalid'],
    [
      new Failure('overloaded'),
      503,
      'temporarily_unavailable',
      'There was a temporary problem serving your request, please try again',
    ],
    [new Failure('internal'), 500, 'server_error', 'Something went wrong on our side'],
  ])('OAuth endpoints say %s in the words of RFC 6749', async (failure, status, error, description) => {
    const token = endpointOver({
      method: 'POST',
      path: '/oauth/token',
      authentication: 'optional',
      failureStyle: 'oauth',
      summary: 'Issues a token.',
      handler: () => Promise.reject(failure),
    });
    const answer = await startServer({ endpoints: [token] }).fetch('/oauth/token', { method: 'POST' });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error, error_description: description });
  });
});

describe('declarations', () => {
  test('a path name without a schema is refused', () => {
    const declare = () =>
      endpointOver({ method: 'GET', path: '/api/v1/x/:id', authentication: 'optional', summary: 'X.', handler: empty });
    expect(declare).toThrow('declares no parameter id');
  });

  test('a scope that does not exist is refused', () => {
    const declare = () =>
      endpointOver({
        method: 'GET',
        path: '/x',
        authentication: 'app',
        scopes: ['read:everything'],
        summary: 'X.',
        handler: empty,
      });
    expect(declare).toThrow('There is no scope read:everything');
  });

  test('two endpoints on one path are refused', () => {
    expect(() => startServer({ endpoints: [open, open] })).toThrow('GET /api/v1/open/:id is declared twice');
  });
});

test('reads are renewed at the start, and again before a handler that had to wait', async () => {
  let renewals = 0;
  const { fetch } = startServer({
    endpoints,
    beginReads: () => {
      renewals += 1;
    },
  });
  const renewed = async (path: string, options: RequestInit) => {
    renewals = 0;
    await fetch(path, options);
    return renewals;
  };
  expect(await renewed('/api/v1/open/1', bearer('alice'))).toBe(1);
  expect(await renewed('/api/v1/open/1', bearer('slow-alice'))).toBe(2);
  const patch = {
    method: 'PATCH',
    body: '{}',
    headers: { ...bearer('alice').headers, 'Content-Type': 'application/json' },
  };
  expect(await renewed('/api/v1/user', patch)).toBe(2);
});

test('a deprecated endpoint says since when, whether it answers at once or later, or refuses', async () => {
  const deprecated = { at: Date.UTC(2022, 10, 14) };
  const declare = (path: string, handler: () => Answer | Promise<Answer>) =>
    endpointOver<TestServices, 'optional'>({
      method: 'GET',
      path,
      authentication: 'optional',
      summary: '',
      deprecated,
      handler,
    });
  const server = startServer({
    endpoints: [
      declare('/at-once', () => json({})),
      declare('/later', () => Promise.resolve(json({}))),
      declare('/refused', () => {
        throw new Failure('notFound');
      }),
    ],
  });
  for (const path of ['/at-once', '/later', '/refused'])
    expect((await server.fetch(path)).headers.get('deprecation'), path).toBe('@1668384000');
});
