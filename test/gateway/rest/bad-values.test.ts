/**
 * Every parameter of every endpoint, with values that nobody should send: whatever comes of it, the server answers in
 * JSON, finds no mistake of its own, and changes nothing that belongs to others.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints as restEndpoints } from '../../../src/gateway/rest/endpoints.ts';
import type { Endpoint } from '../../../src/gateway/route.ts';
import { serverSentEndpoints } from '../../../src/gateway/streaming/server-sent-events.ts';
import type { Services } from '../../../src/services/services.ts';
import { mistakesIn } from '../../support/asking.ts';
import { startTown, type Town } from '../../support/town.ts';

let town: Town;
let before: unknown;
let mallory: { token: string; id: string; statusId: string };

beforeAll(async () => {
  town = await startTown();
  const { ask, population } = town;
  const user = await population.add('mallory');
  const profile = { source: { privacy: 'direct' } };
  const { id } = (await ask(user, 'PATCH', '/api/v1/accounts/update_credentials', profile)).body;
  const post = await ask(user, 'POST', '/api/v1/statuses', { status: 'for nobody' });
  mallory = { token: user.token, id: String(id), statusId: String(post.body.id) };
  before = await town.state();
});

afterAll(async () => {
  expect(await town.state()).toEqual(before);
  expect(mistakesIn(town.server)).toEqual([]);
  expect(await town.server.stop()).toBe(0);
});

const texts = [
  '',
  ' ',
  'word',
  '-1',
  '1e999',
  '99999999999999999999999999',
  '[object Object]',
  '__proto__',
  '\u0000',
  '\u202e\ufeff\u{1f468}\u200d\u{1f469}',
  '../../../../etc/passwd',
  `'"--;<script>\${7*7}{{7*7}}`,
  'https://[::1/',
  '@@@a@b@c.example #a#b',
  'x'.repeat(5_000),
];
const values: readonly unknown[] = [
  ...texts,
  '\ud800',
  'y'.repeat(300_000),
  true,
  -1,
  0.1,
  1e308,
  null,
  [],
  [null],
  [[['deep']]],
  [{}, {}],
  {},
  { 0: 'x', 1: {} },
  { a: { b: [1] } },
];

const nobody = () => {
  throw new Error('the hub is that of the server');
};
const endpoints: readonly Endpoint<Services>[] = [...restEndpoints, ...serverSentEndpoints(nobody)];
const routes = endpoints.flatMap((endpoint) =>
  endpoint.methods.map((method) => [`${method} ${endpoint.path}`, method, endpoint] as const),
);

/** A path that leads to something of mallory's own, or to `value` wherever it names something. */
function pathOf({ path }: Endpoint<Services>, value?: string): string {
  const named = value === undefined ? undefined : encodeURIComponent(value);
  return path.replaceAll(/:\w+/g, () => {
    if (named !== undefined) return named;
    return path.includes('/statuses/:') ? mallory.statusId : mallory.id;
  });
}

/** What is wrong with an answer; undefined where it is as it should be. */
async function problemOf(what: unknown, path: string, method: string, body?: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${mallory.token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${town.server.origin}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const contentType = answer.headers.get('content-type') ?? '';
  if (/^text\/(event-stream|plain)/.test(contentType)) {
    await answer.body?.cancel();
    return answer.status === 200 ? undefined : `${answer.status} for ${what}`;
  }
  const text = await answer.text();
  const bad =
    answer.status >= 500 || !contentType.startsWith('application/json') || /node_modules|file:\/\//.test(text);
  return bad ? `${answer.status} for ${String(what).slice(0, 60)}: ${text.slice(0, 200)}` : undefined;
}

test.each(routes)('%s', async (_route, method, endpoint) => {
  const asked: Promise<string | undefined>[] = [];
  if (endpoint.pathNames.length > 0)
    for (const text of texts) asked.push(problemOf(text, pathOf(endpoint, text), method));
  const names = Object.keys(endpoint.parameters?.shape ?? {}).filter((name) => !endpoint.pathNames.includes(name));
  for (const name of names) {
    const path = pathOf(endpoint);
    for (const text of texts) {
      const value = encodeURIComponent(text);
      asked.push(problemOf(`${name}=${text}`, `${path}?${name}=${value}&${name}[]=${value}`, method));
    }
    for (const key of ['[a]', '[][a]', '[0][a][]', '[__proto__]'])
      asked.push(problemOf(name + key, `${path}?${name}${encodeURIComponent(key)}=x`, method));
    if (method === 'GET') continue;
    for (const value of values) {
      const body = JSON.stringify({ [name]: value });
      asked.push(problemOf(`${name} ${body}`, path, method, body));
    }
  }
  const problems = (await Promise.all(asked)).filter((problem) => problem !== undefined);
  expect(problems).toEqual([]);
});
