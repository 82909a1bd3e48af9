import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { json } from '../../../src/gateway/http/answers.ts';
import { pageHeaders } from '../../../src/gateway/http/pagination.ts';
import { boolean, pageParameters } from '../../../src/gateway/http/parameter-types.ts';
import { endpointOver } from '../../../src/gateway/route.ts';
import { startServer } from './support.ts';

const address = (query: string, path = '/api/v1/timelines/home') => ({
  origin: 'https://social.example',
  path,
  query,
  parameterNames: new Set(['local', 'limit', 'max_id', 'min_id', 'since_id', 'types', 'offset', 'a', 'q', 'x']),
});
const page = { items: [9n, 8n], newest: 9n, oldest: 8n, full: true };
const base = 'https://social.example/api/v1/timelines/home';

describe('pages by cursor', () => {
  test.each([
    [
      'a full page',
      address(''),
      page,
      'min_id',
      `<${base}?limit=2&max_id=8>; rel="next", <${base}?limit=2&min_id=9>; rel="prev"`,
    ],
    [
      'a list of accounts',
      address(''),
      page,
      'since_id',
      `<${base}?limit=2&max_id=8>; rel="next", <${base}?limit=2&since_id=9>; rel="prev"`,
    ],
    ['the last page', address(''), { ...page, full: false }, 'min_id', `<${base}?limit=2&min_id=9>; rel="prev"`],
    [
      'an empty page',
      address(''),
      { items: [], newest: undefined, oldest: undefined, full: false },
      'min_id',
      undefined,
    ],
    ['a last page whose rows are all hidden', address(''), { ...page, items: [], full: false }, 'min_id', undefined],
    [
      'hidden rows where the reading stopped before the end',
      address(''),
      { ...page, items: [] },
      'min_id',
      `<${base}?limit=2&max_id=8>; rel="next", <${base}?limit=2&min_id=9>; rel="prev"`,
    ],
    [
      'other parameters, of which only those that are read here are repeated',
      address('local=true&nonsense=1&limit=2&max_id=5&types[]=mention&min_id=1&since_id=1&offset=3'),
      page,
      'min_id',
      `<${base}?local=true&types[]=mention&limit=2&max_id=8>; rel="next", <${base}?local=true&types[]=mention&limit=2&min_id=9>; rel="prev"`,
    ],
    [
      'a value that is given a thousand times',
      address('types[]=mention&'.repeat(1_000)),
      { ...page, full: false },
      'min_id',
      `<${base}?types[]=mention&limit=2&min_id=9>; rel="prev"`,
    ],
    [
      'values that take each other back, of which the last one counts',
      address('local=true&local=false&local=true'),
      { ...page, full: false },
      'min_id',
      `<${base}?local=false&local=true&limit=2&min_id=9>; rel="prev"`,
    ],
    [
      'more values than a link can hold',
      address(Array.from({ length: 600 }, (_, index) => `types[]=${index}`).join('&')),
      page,
      'min_id',
      undefined,
    ],
    [
      'a token in the query, which stays secret',
      address('access_token=secret&a=1'),
      { ...page, full: false },
      'min_id',
      `<${base}?a=1&limit=2&min_id=9>; rel="prev"`,
    ],
    [
      'characters that would break the header',
      address('q=a,b%2C>"é&x=%20'),
      { ...page, full: false },
      'min_id',
      `<${base}?q=a%2Cb%2C%3E%22%C3%A9&x=%20&limit=2&min_id=9>; rel="prev"`,
    ],
    [
      'a comma in the path',
      address('', '/api/v1/timelines/tag/a,b'),
      { ...page, full: false },
      'min_id',
      '<https://social.example/api/v1/timelines/tag/a%2Cb?limit=2&min_id=9>; rel="prev"',
    ],
  ] as const)('%s', (_case, where, rows, newerBy, link) => {
    expect(pageHeaders(where, rows, 2, newerBy)).toEqual(link === undefined ? {} : { Link: link });
  });
});

test('a client that follows next sees every row once, and stops', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => 100n - BigInt(index));
  const list = endpointOver({
    method: 'GET',
    path: '/api/v1/rows',
    authentication: 'optional',
    parameters: z.object({ ...pageParameters(20, 40), local: boolean }),
    summary: 'Rows, newest first.',
    handler: (context, { max_id: maxId = 1_000n, limit }) => {
      const found = rows.filter((row) => row < maxId).slice(0, limit);
      const headers = pageHeaders(
        context.request,
        { items: found, newest: found[0], oldest: found.at(-1), full: found.length === limit },
        limit,
        'min_id',
      );
      return json(found.map(String), { headers });
    },
  });
  const { fetch } = startServer({ endpoints: [list] });
  const seen: string[] = [];
  let path: string | undefined = '/api/v1/rows?limit=3&local=true';
  while (path !== undefined) {
    const answer: Response = await fetch(path);
    seen.push(...((await answer.json()) as string[]));
    const next = (answer.headers.get('link') ?? '').split(',').find((part) => part.includes('rel="next"'));
    const url: URL | undefined = next === undefined ? undefined : new URL(/<(.*)>/.exec(next)![1]!);
    expect(url?.origin ?? 'https://social.example').toBe('https://social.example');
    expect(url?.searchParams.get('local') ?? 'true').toBe('true');
    path = url === undefined ? undefined : url.pathname + url.search;
  }
  expect(seen).toEqual(rows.map(String));
});
