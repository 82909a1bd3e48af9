/**
 * Invalid tokens, scopes, methods and bodies, sent to every endpoint: each gets its documented answer and changes
 * nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints as restEndpoints } from '../../../src/gateway/rest/endpoints.ts';
import type { Endpoint } from '../../../src/gateway/route.ts';
import { serverSentEndpoints } from '../../../src/gateway/streaming/server-sent-events.ts';
import type { Services } from '../../../src/services/services.ts';
import { type Answered, answered, mistakesIn } from '../../support/asking.ts';
import { startTown, type Town } from '../../support/town.ts';
import { until } from '../../support/until.ts';

let town: Town;
let before: unknown;
let revoked: { token: string };
let narrow: { token: string };

beforeAll(async () => {
  town = await startTown();
  const { server, population } = town;
  const { client } = population;
  narrow = { token: (await server.run('tokens', 'create', 'bob', '--scopes', 'push')).trim() };
  const grant = { grant_type: 'client_credentials', ...client };
  revoked = { token: String((await town.ask(undefined, 'POST', '/oauth/token', grant)).body.access_token) };
  await town.ask(undefined, 'POST', '/oauth/revoke', { ...client, ...revoked });
  await until(async () => (await town.ask(revoked, 'GET', '/api/v1/apps/verify_credentials')).status === 401);
  before = await town.state();
});

afterAll(async () => {
  expect(mistakesIn(town.server)).toEqual([]);
  expect(await town.server.stop()).toBe(0);
});

const nobody = () => {
  throw new Error('no stream is opened here');
};
const endpoints: readonly Endpoint<Services>[] = [...restEndpoints, ...serverSentEndpoints(nobody)];
const routes = endpoints.flatMap((endpoint) =>
  endpoint.methods.map((method) => [`${method} ${endpoint.path}`, method, endpoint] as const),
);

/** A path of an endpoint whose names stand for something that is there. */
function pathOf({ path }: Endpoint<Services>): string {
  const { alice, erin } = town.people;
  return path
    .replace('/accounts/:id', `/accounts/${alice.id}`)
    .replace('/statuses/:id', `/statuses/${town.statuses.public}`)
    .replace('/notifications/:id', `/notifications/${town.notification}`)
    .replace(':account_id', erin.id)
    .replace(':hashtag', 'cats')
    .replace(':channel', 'user');
}

/** What a refusal may hold: words for people, and nothing of the inside. */
function expectRefusal(answer: Answered, status: number, text?: string): void {
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.stringMatching(/^\{"error":"/)]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.text).not.toMatch(/node_modules|file:|\.[jt]s\b|\bat [\w.]+ \(|\/src\//);
  if (text !== undefined) expect(answer.body.error).toBe(text);
}

describe('a token', () => {
  const invalid = 'The access token is invalid';
  const ignoresTokens = (endpoint: Endpoint<Services>) => endpoint.authentication === 'none';
  const open = (endpoint: Endpoint<Services>) => endpoint.authentication === 'optional' || ignoresTokens(endpoint);

  test.each(routes)('that is missing: %s', async (_route, method, endpoint) => {
    if (open(endpoint)) return;
    const answer = await town.ask(undefined, method, pathOf(endpoint));
    expectRefusal(answer, 401, invalid);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each(routes)('that is wrong, revoked or too long: %s', async (_route, method, endpoint) => {
    if (ignoresTokens(endpoint)) return;
    for (const token of ['nonsense', revoked.token, 'x'.repeat(2_000)]) {
      const answer = await town.ask({ token }, method, pathOf(endpoint));
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(answer.text).toContain(invalid);
    }
  });

  test.each(routes)('without the scope: %s', async (_route, method, endpoint) => {
    if (endpoint.scopes.length === 0 || endpoint.scopes.includes('push')) return;
    const answer = await town.ask(narrow, method, pathOf(endpoint));
    // Streams say it as their WebSocket does.
    const isStream = endpoint.path.startsWith('/api/v1/streaming/');
    expect(answer.status).toBe(isStream ? 401 : 403);
    expect(answer.text).toContain('This action is outside the authorized scopes');
  });

  test.each(routes)('of an application, where a user is asked for: %s', async (_route, method, endpoint) => {
    if (endpoint.authentication !== 'user') return;
    const answer = await town.ask(town.population.application, method, pathOf(endpoint));
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('This method requires an authenticated user');
  });
});

describe('a method that a path does not serve', () => {
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  test.each(paths)('%s', async (path) => {
    const concrete = pathOf({ path } as Endpoint<Services>);
    const served = endpoints.filter((other) => patternOf(other.path).test(concrete)).flatMap(({ methods }) => methods);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (served.includes(method)) continue;
      const answer = await town.ask(town.people.bob, method, concrete);
      expectRefusal(answer, 405);
      expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining([...new Set(served)]));
    }
  });
});

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
}

describe('a body', () => {
  const writing = routes.filter(([, method, { hasFreeParameters }]) => method !== 'GET' && hasFreeParameters);
  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';
  const bodies: readonly [what: string, status: number, contentType: string | undefined, body: string][] = [
    ['JSON that breaks off', 400, json, '{"status":"x"'],
    ['JSON with a comma too many', 400, json, '{"status":"x",}'],
    ['UTF-16', 400, json, Buffer.from('{"status":"x"}', 'utf16le').toString('latin1')],
    ['a list', 400, json, '[{"status":"x"}]'],
    ['a number', 400, json, '1e999'],
    ['JSON nested too deeply', 400, json, `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['a form nested too deeply', 400, form, `a${'[b]'.repeat(100)}=x`],
    ['too many parameters', 400, json, JSON.stringify({ a: Array.from({ length: 5_000 }, () => 1) })],
    ['a parameter in two shapes', 400, form, 'a=1&a[b]=2'],
    ['octets that are not UTF-8', 400, form, 'status=%ff%fe'],
    ['a percent sign alone', 400, form, 'status=100%'],
    ['a multipart body without a boundary', 400, 'multipart/form-data', '--a\r\n'],
    [
      'a multipart body that breaks off',
      400,
      'multipart/form-data; boundary=a',
      '--a\r\nContent-Disposition: form-data; name="x"\r\n\r\ny',
    ],
    ['plain text', 415, 'text/plain', 'status=x'],
    ['XML', 415, 'application/xml', '<status>x</status>'],
    ['no content type', 400, undefined, 'status=%ff'],
  ];

  test.each(writing)('that cannot be read: %s', async (_route, method, endpoint) => {
    const seen: unknown[] = [];
    const isForUsers = endpoint.authentication === 'app' || endpoint.authentication === 'user';
    const user = endpoint.path.includes('/admin/') ? town.staff : town.people.bob;
    const { token } = isForUsers ? user : town.population.application;
    const tooMuch = JSON.stringify({ status: 'x'.repeat(endpoint.bodyBytesMax) });
    const given = [...bodies, ['more than it reads', 413, json, tooMuch]] as const;
    for (const [what, , contentType, body] of given) {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      };
      const options = { method, headers, body: Buffer.from(body, 'latin1') };
      const answer = await answered(await fetch(`${town.server.origin}${pathOf(endpoint)}`, options));
      expectRefusal(answer, answer.status);
      seen.push([what, answer.status]);
    }
    expect(seen).toEqual(given.map(([what, status]) => [what, status]));
  });

  test.each([
    '/api/v1/statuses',
    '/api/v1/apps',
    '/oauth/token',
  ])('whose names are those that objects inherit is empty: %s', async (path) => {
    const { bob } = town.people;
    const inherited = '{"__proto__":{"status":"x","client_name":"x"},"constructor":{"prototype":{"status":"x"}}}';
    const headers = { 'content-type': json, authorization: `Bearer ${bob.token}` };
    const options = { method: 'POST', headers, body: inherited };
    const answer = await answered(await fetch(`${town.server.origin}${path}`, options));
    const empty = await town.ask(bob, 'POST', path, {});
    expect([answer.status, answer.text]).toEqual([empty.status, empty.text]);
    expect(empty.status).toBeGreaterThanOrEqual(400);
  });
});

test('nothing was changed by any of it', async () => {
  expect(await town.state()).toEqual(before);
});
