/**
 * The parameters that arrive at a handler, in every form in which clients send them: tables over a listening server.
 */
import fastCheck from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { json } from '../../../src/gateway/http/answers.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { text, textList } from '../../../src/gateway/http/parameter-types.ts';
import { parseUrlEncoded } from '../../../src/gateway/http/parameters/urlencoded.ts';
import { endpointOver } from '../../../src/gateway/route.ts';
import { startServer } from './support.ts';

/** Answers the parameters as they came, files as their name, type and text. */
const echo = endpointOver({
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  path: '/api/v1/echo/:number',
  authentication: 'optional',
  bodyBytesMax: httpLimits.bodyBytesMax,
  parameters: z.looseObject({ number: z.string(), given: z.unknown().optional() }),
  summary: 'Says what was given.',
  handler: (_context, { number: _number, ...parameters }) => json(parameters),
});

/** Answers the one text and the one list that it asks for. */
const asked = endpointOver({
  method: 'POST',
  path: '/api/v1/asked',
  authentication: 'optional',
  parameters: z.object({ one: text, many: textList }),
  summary: 'Asks for one text and for a list.',
  handler: (_context, parameters) => json(parameters),
});

const silent = endpointOver({
  method: 'POST',
  path: '/api/v1/silent/:id',
  authentication: 'optional',
  parameters: z.object({ id: z.string() }),
  summary: 'Reads no body.',
  handler: (_context, { id }) => json(id),
});

function server() {
  const { fetch } = startServer({ endpoints: [echo, asked, silent] });
  return async (path: string, options?: RequestInit) => {
    const answer = await fetch(path, options);
    return { status: answer.status, body: await answer.json() };
  };
}

const formTable: [string, string, unknown][] = [
  ['one value', 'a=1', { a: '1' }],
  ['an empty value', 'a=&b', { a: '', b: '' }],
  ['nothing', '', {}],
  ['blanks and octets', 'a=x+y%20z%2B&b=%C3%A9', { a: 'x y z+', b: 'é' }],
  ['an equals sign in a value', 'a=b=c', { a: 'b=c' }],
  ['stray ampersands', '&a=1&&b=2&', { a: '1', b: '2' }],
  ['a list in brackets', 'id[]=1&id[]=2', { id: ['1', '2'] }],
  ['a list of one in brackets', 'id[]=1', { id: ['1'] }],
  ['a numbered list', 'id[0]=1&id[1]=2', { id: ['1', '2'] }],
  ['a numbered list, where the order counts and the number does not', 'id[7]=a&id[3]=b', { id: ['a', 'b'] }],
  ['a bare repeated key', 'id=1&id=2', { id: ['1', '2'] }],
  ['encoded brackets', 'id%5B%5D=1&id%5B%5D=2', { id: ['1', '2'] }],
  ['a hash', 'source[privacy]=private', { source: { privacy: 'private' } }],
  [
    'a deep hash',
    'data[alerts][mention]=true&data[policy]=all',
    { data: { alerts: { mention: 'true' }, policy: 'all' } },
  ],
  [
    'hashes in a numbered list',
    'fields_attributes[0][name]=a&fields_attributes[0][value]=b&fields_attributes[1][name]=c',
    { fields_attributes: [{ name: 'a', value: 'b' }, { name: 'c' }] },
  ],
  [
    'hashes in a list, where a repeated key begins the next',
    'k[][keyword]=a&k[][whole_word]=true&k[][keyword]=b',
    { k: [{ keyword: 'a', whole_word: 'true' }, { keyword: 'b' }] },
  ],
  [
    'lists in hashes in a list',
    'k[][x][]=1&k[][x][]=2&k[][y]=3&k[][y]=4',
    { k: [{ x: ['1', '2'], y: '3' }, { y: '4' }] },
  ],
  [
    'hashes in hashes in a list',
    'k[][x][a]=1&k[][x][b]=2&k[][x][a]=3',
    { k: [{ x: { a: '1', b: '2' } }, { x: { a: '3' } }] },
  ],
  [
    'names with colons, dots and a low line',
    'posting:default:privacy=a&admin.sign_up=b&k[][_destroy]=1',
    { 'posting:default:privacy': 'a', 'admin.sign_up': 'b', k: [{ _destroy: '1' }] },
  ],
  ['brackets that do not match', 'a[b=1&[c]=2&d]=3', { 'a[b': '1', '[c]': '2', 'd]': '3' }],
  [
    'names that every object has',
    '__proto__[x]=1&constructor=2&a[prototype]=3&toString=4&b=5',
    { toString: '4', b: '5' },
  ],
];

const jsonTable: [string, unknown, unknown][] = [
  ['values as they are', { a: 1, b: true, c: null, d: 'x', e: 1.5 }, { a: 1, b: true, c: null, d: 'x', e: 1.5 }],
  ['lists and hashes', { id: ['1'], k: [{ a: 'b' }] }, { id: ['1'], k: [{ a: 'b' }] }],
  ['nothing', {}, {}],
];

describe('the same table in the query, in a form body and in a multipart body', () => {
  test.each(formTable)('a query with %s', async (_case, form, parameters) => {
    expect(await server()(`/api/v1/echo/1?${form}`)).toEqual({ status: 200, body: parameters });
  });

  test.each(formTable)('a body with %s', async (_case, form, parameters) => {
    const options = { method: 'POST', body: form, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect(await server()('/api/v1/echo/1', options)).toEqual({ status: 200, body: parameters });
  });

  test.each(formTable)('multipart with %s', async (_case, form, parameters) => {
    const body = new FormData();
    for (const [name, value] of new URLSearchParams(form)) body.append(name, value);
    expect(await server()('/api/v1/echo/1', { method: 'PUT', body })).toEqual({ status: 200, body: parameters });
  });
});

describe('JSON bodies', () => {
  test.each(jsonTable)('%s', async (_case, value, parameters) => {
    for (const contentType of ['application/json', 'application/json; charset=utf-8', 'application/ld+json']) {
      const options = { method: 'DELETE', body: JSON.stringify(value), headers: { 'Content-Type': contentType } };
      expect(await server()('/api/v1/echo/1', options)).toEqual({ status: 200, body: parameters });
    }
  });

  test.each([
    [
      'an id',
      '{"id":117662521035495427,"ids":[117662521035495427]}',
      { id: '117662521035495427', ids: ['117662521035495427'] },
    ],
    ['one below zero', '{"a": -117662521035495427}', { a: '-117662521035495427' }],
    [
      'numbers that fit',
      '{"a":9007199254740991,"b":1e300,"c":0.12345678901234567}',
      { a: 9007199254740991, b: 1e300, c: 0.12345678901234566 },
    ],
    ['digits of a text', '{"a":"x: 117662521035495427"}', { a: 'x: 117662521035495427' }],
  ])('a number too long for JavaScript keeps its digits: %s', async (_case, body, parameters) => {
    const options = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    expect(await server()('/api/v1/echo/1', options)).toEqual({ status: 200, body: parameters });
  });

  test('names that every object has are left out, at every level', async () => {
    const body = '{"a":{"__proto__":{"x":1},"b":[{"constructor":2,"c":3}]},"__proto__":{"admin":true},"prototype":1}';
    const options = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    expect(await server()('/api/v1/echo/1', options)).toEqual({ status: 200, body: { a: { b: [{ c: 3 }] } } });
  });
});

describe('where one text and where a list is asked for', () => {
  const refusal = { status: 422, body: { error: 'Validation failed: One is invalid' } };

  test.each<[string, string, unknown]>([
    ['a repeated name is its last value, and a list', 'one=a&one=b&many=a&many=b', { one: 'b', many: ['a', 'b'] }],
    ['a name with brackets is a list', 'one[]=a', undefined],
    ['a name with and without brackets is a list', 'one=a&one[]=b', undefined],
    ['a name with numbers is a list', 'one[0]=a', undefined],
    ['a name with a key is none', 'one[a]=b', undefined],
  ])('%s', async (_case, form, parameters) => {
    const expected = parameters === undefined ? refusal : { status: 200, body: parameters };
    const body = new FormData();
    for (const [name, value] of new URLSearchParams(form)) body.append(name, value);
    const ask = server();
    expect(await ask(`/api/v1/asked?${form}`, { method: 'POST' })).toEqual(expected);
    expect(await ask('/api/v1/asked', { method: 'POST', body: new URLSearchParams(form) })).toEqual(expected);
    expect(await ask('/api/v1/asked', { method: 'POST', body })).toEqual(expected);
  });

  test.each([[['a', 'b']], [[]], [{}], [[['a']]]])('%j of JSON is invalid', async (one) => {
    const options = { method: 'POST', body: JSON.stringify({ one }), headers: { 'Content-Type': 'application/json' } };
    expect(await server()('/api/v1/asked', options)).toEqual(refusal);
  });
});

test('the path wins over the body, and the body over the query', async () => {
  const ask = server();
  const options = {
    method: 'POST',
    body: '{"number":"2","a":"body"}',
    headers: { 'Content-Type': 'application/json' },
  };
  expect(await ask('/api/v1/echo/1?a=query&b=query&number=3', options)).toEqual({
    status: 200,
    body: { a: 'body', b: 'query' },
  });
  expect(await ask('/api/v1/silent/1?id=2', options)).toEqual({ status: 200, body: '1' });
});

test.each([
  ['lists in each other', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['empty objects', `{"a":[${'{},'.repeat(330_000)}{}]}`],
  ['numbers', `{"a":[${'1,'.repeat(500_000)}1]}`],
])('a megabyte of %s is refused without being parsed, which takes ten times as long as looking at it', async (_what, body) => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const { fetch } = startServer({ endpoints: [echo] });
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await fetch('/api/v1/echo/1', { method: 'POST', headers, body });
  expect([status, parse.mock.calls.filter(([text]) => text === body).length]).toEqual([400, 0]);
});

test.each([
  ['as much as it takes', 0, 200],
  ['more', 1, 413],
])('an endpoint without a bound of its own is given %s', async (_what, beyond, expected) => {
  const { fetch } = startServer({ endpoints: [asked] });
  const frame = JSON.stringify({ one: '' }).length;
  const body = JSON.stringify({ one: 'x'.repeat(httpLimits.parametersBytesMax + beyond - frame) });
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await fetch('/api/v1/asked', { method: 'POST', headers, body });
  expect(status).toBe(expected);
});

describe('what is refused', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const many = httpLimits.parameterCountMax + 1;
  test.each([
    ['JSON that is none', 'application/json', '{"a":', 400, 'The body is not valid JSON'],
    ['JSON that is a list', 'application/json', '[1]', 400, 'The body is not a JSON object'],
    [
      'JSON that is nested too deeply',
      'application/json',
      deep(httpLimits.parameterDepthMax + 2),
      400,
      'The parameters are nested too deeply',
    ],
    [
      'JSON that is nested without end',
      'application/json',
      `{"a":${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
      400,
      'The parameters are nested too deeply',
    ],
    [
      'JSON with too many values',
      'application/json',
      `{"a":[${'1,'.repeat(many)}1]}`,
      400,
      'The request has too many parameters',
    ],
    [
      'a form with too many pairs',
      'application/x-www-form-urlencoded',
      'a=1&'.repeat(many),
      400,
      'The request has too many parameters',
    ],
    [
      'a form that is nested too deeply',
      'application/x-www-form-urlencoded',
      `a${'[b]'.repeat(httpLimits.parameterDepthMax)}=1`,
      400,
      'The parameters are nested too deeply',
    ],
    [
      'a key in two shapes',
      'application/x-www-form-urlencoded',
      'a=1&a[b]=2',
      400,
      'The parameter a is given in two shapes',
    ],
    [
      'a list that is a hash too',
      'application/x-www-form-urlencoded',
      'a[b]=1&a[]=2',
      400,
      'The parameter a is given in two shapes',
    ],
    [
      'octets that are no UTF-8',
      'application/x-www-form-urlencoded',
      'a=%FF',
      400,
      'The request is not percent-encoded UTF-8',
    ],
    [
      'multipart that breaks off',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      400,
      'The multipart body is malformed: an unfinished part',
    ],
    ['a content type that nobody reads', 'text/plain', 'a=1', 415, 'This path does not accept that content type'],
  ])('%s', async (_case, contentType, body, status, error) => {
    const options = { method: 'POST', body: Buffer.from(body), headers: { 'Content-Type': contentType } };
    expect(await server()('/api/v1/echo/1', options)).toEqual({ status, body: { error } });
  });

  test('a path that is not percent-encoded UTF-8', async () => {
    expect(await server()('/api/v1/echo/%C3')).toMatchObject({ status: 400 });
  });

  test('a body that an endpoint does not read may have any type', async () => {
    const options = { method: 'POST', body: '<a/>', headers: { 'Content-Type': 'text/xml' } };
    expect(await server()('/api/v1/silent/1', options)).toEqual({ status: 200, body: '1' });
  });

  test('the JSON value null is an empty body: libraries send it for a request without parameters', async () => {
    const options = { method: 'POST', body: ' null\n', headers: { 'Content-Type': 'application/json' } };
    expect(await server()('/api/v1/echo/1?a=1', options)).toEqual({ status: 200, body: { a: '1' } });
  });

  test('an empty body needs no content type, and any other without one is a form', async () => {
    expect(await server()('/api/v1/echo/1', { method: 'POST' })).toEqual({ status: 200, body: {} });
    const untyped = { method: 'POST', body: Buffer.from('a[]=1&a[]=2') };
    expect(await server()('/api/v1/echo/1', untyped)).toEqual({ status: 200, body: { a: ['1', '2'] } });
  });
});

test('no query makes the parser throw anything but a refusal, or touches a prototype', () => {
  const part = fastCheck.constantFrom(
    'a',
    'b',
    '[',
    ']',
    '[]',
    '[0]',
    '=',
    '&',
    '%',
    '%5B',
    '+',
    '__proto__',
    'constructor',
    '.',
  );
  const property = fastCheck.property(fastCheck.array(part, { maxLength: 30 }), (parts) => {
    try {
      parseUrlEncoded(parts.join(''));
    } catch (error) {
      expect(error).toMatchObject({ code: 'badRequest' });
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
  fastCheck.assert(property, { seed: 1, numRuns: 2_000 });
});
