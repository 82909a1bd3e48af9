/**
 * Every parameter of every endpoint, with values that nobody should send: whatever comes of it, the server answers in
 * JSON, finds no mistake of its own, and changes nothing that belongs to others. `npm run test:long` sends every value to
 * every parameter, a usual run as much as `stormOn` chooses.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints as restEndpoints } from '../../../src/gateway/rest/endpoints.ts';
import type { Endpoint } from '../../../src/gateway/route.ts';
import { serverSentEndpoints } from '../../../src/gateway/streaming/server-sent-events.ts';
import type { Services } from '../../../src/services/services.ts';
import { mistakesIn } from '../../support/asking.ts';
import { startTown, type Town } from '../../support/town.ts';
import { type BadRequest, placesOf, type Route, stormOn } from './storm.ts';

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

const nobody = () => {
  throw new Error('the hub is that of the server');
};
const endpoints: readonly Endpoint<Services>[] = [...restEndpoints, ...serverSentEndpoints(nobody)];
const routes: readonly Route[] = endpoints.flatMap((endpoint) =>
  endpoint.methods.map((method) => ({ method, endpoint })),
);

const places = routes.flatMap(placesOf);
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
/** Thirty in a row send everything. Fixed: a run without a change finds what the one before has found. */
const seed = Number(process.env.MURMURATION_STORM_SEED ?? 1);
const storm = stormOn(places, isLong ? undefined : seed);

/** A path that leads to something of mallory's own, or to `value` wherever it names something. */
function pathOf({ path }: Endpoint<Services>, value?: string): string {
  const named = value === undefined ? undefined : encodeURIComponent(value);
  return path.replaceAll(/:\w+/g, () => {
    if (named !== undefined) return named;
    return path.includes('/statuses/:') ? mallory.statusId : mallory.id;
  });
}

/** What is wrong with an answer; undefined where it is as it should be. */
async function problemOf({ method, endpoint }: Route, bad: BadRequest): Promise<string | undefined> {
  const { token } = endpoint.path.includes('/admin/') ? town.staff : mallory;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = `${pathOf(endpoint, bad.pathValue)}${bad.query === undefined ? '' : `?${bad.query}`}`;
  const body = bad.body === undefined ? {} : { body: bad.body };
  const answer = await fetch(`${town.server.origin}${path}`, { method, headers, ...body });
  const what = JSON.stringify(bad).slice(0, 100);
  const contentType = answer.headers.get('content-type') ?? '';
  if (/^text\/(event-stream|plain)/.test(contentType)) {
    await answer.body?.cancel();
    return answer.status === 200 ? undefined : `${answer.status} for ${what}`;
  }
  const text = await answer.text();
  const isBad =
    answer.status >= 500 || !contentType.startsWith('application/json') || /node_modules|file:\/\//.test(text);
  return isBad ? `${answer.status} for ${what}: ${text.slice(0, 200)}` : undefined;
}

describe(isLong ? 'everything' : `MURMURATION_STORM_SEED=${seed}`, () => {
  test.each(
    routes.map((route) => [`${route.method} ${route.endpoint.path}`, route] as const),
  )('%s', async (_, route) => {
    const problems = await Promise.all((storm.get(route) ?? []).map((bad) => problemOf(route, bad)));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });
});

test('each kind of parameter gets all values, each parameter of each route gets one', () => {
  const sent = new Set([...storm.values()].flat());
  expect(places.filter(({ requests }) => !requests.some((bad) => sent.has(bad)))).toEqual([]);
  const whole = places.filter(({ requests }) => requests.every((bad) => sent.has(bad)));
  expect(new Set(whole.map(({ kind }) => kind))).toEqual(new Set(places.map(({ kind }) => kind)));
});

test('thirty seeds send all values to all parameters', () => {
  const missing = new Set(places.flatMap(({ requests }) => requests));
  for (let next = 0; next < 30; next += 1)
    for (const bad of [...stormOn(places, seed + next).values()].flat()) missing.delete(bad);
  expect(missing.size).toBe(0);
});
