/**
 * What homes and lists leave out because the same status is just below, over the API and in streams (behaviour of the
 * Mastodon API).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { createToken } from '../../../src/operations/administration/create-token.ts';
import { operator } from '../../../src/operations/caller.ts';
import { timelineLimits } from '../../../src/operations/timelines/limits.ts';
import type { Json } from '../../support/asking.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addAccount } from '../../support/sign-up.ts';
import { openStream, type StreamReader, type Transport } from '../../support/stream-readers.ts';

const names = ['alice', 'bob', 'carol', 'dave'] as const;
type Name = (typeof names)[number];

let gateway: TestGateway;
let tokens: Record<Name, string>;
let ids: Record<Name, string>;
/** Of alice, with all whom she follows: bob and carol. */
let listId: string;

beforeEach(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  tokens = {} as typeof tokens;
  ids = {} as typeof ids;
  for (const name of names) {
    ids[name] = String(await addAccount(gateway.actors, name));
    const asking = { caller: operator, services: gateway.services };
    tokens[name] = (await createToken(asking, { username: name, scopes: 'read write follow' })).token;
  }
  for (const name of ['bob', 'carol'] as const) await act('alice', `/api/v1/accounts/${ids[name]}/follow`);
  listId = (await act('alice', '/api/v1/lists', { title: 'Friends' })).id as unknown as string;
  await act('alice', `/api/v1/lists/${listId}/accounts`, { account_ids: [ids.bob, ids.carol] });
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function act(name: Name, path: string, json: object = {}, method = 'POST'): Promise<Json> {
  gateway.actors.clock.advance(1_000);
  const { status, body } = await gateway.json<Json>(path, { method, token: tokens[name], json });
  expect(status, path).toBe(200);
  return body;
}

const post = async (name: Name, status = 'words') => String((await act(name, '/api/v1/statuses', { status })).id);
const boost = async (name: Name, id: string) => String((await act(name, `/api/v1/statuses/${id}/reblog`)).id);
const unboost = (name: Name, id: string) => act(name, `/api/v1/statuses/${id}/unreblog`);
const listPath = () => `/api/v1/timelines/list/${listId}`;
const homePath = '/api/v1/timelines/home';

async function read(path: string, asked = gateway): Promise<string[]> {
  const { body } = await asked.json<{ id: string }[]>(path, { token: tokens.alice });
  return body.map(({ id }) => id);
}

async function expectBoth(expected: readonly string[]): Promise<void> {
  expect(await read(homePath), 'home').toEqual(expected);
  expect(await read(listPath()), 'list').toEqual(expected);
}

describe('of two reblogs of a status', () => {
  let original: string;
  let first: string;
  let second: string;

  beforeEach(async () => {
    original = await post('dave');
    first = await boost('bob', original);
    second = await boost('carol', original);
  });

  test('the older one stays, on every gateway', async () => {
    await expectBoth([first]);
    const beside = startTestGateway({ endpoints, beside: gateway, environment: {} });
    expect(await read(homePath, beside)).toEqual([first]);
    await beside.close();
  });

  test.each<[string, () => Promise<unknown>]>([
    ['undone', () => unboost('bob', original)],
    ['by somebody who is muted', () => act('alice', `/api/v1/accounts/${ids.bob}/mute`)],
    ['by somebody whom the reader no longer follows', () => act('alice', `/api/v1/accounts/${ids.bob}/unfollow`)],
    ['by somebody who is blocked', () => act('alice', `/api/v1/accounts/${ids.bob}/block`)],
    ['by somebody who leaves', () => act('bob', `/api/v1/statuses/${first}`, {}, 'DELETE')],
  ])('the other takes its place when it is %s', async (_what, end) => {
    await end();
    await expectBoth([second]);
  });

  test('none is left when the status is deleted', async () => {
    await act('dave', `/api/v1/statuses/${original}`, {}, 'DELETE');
    await expectBoth([]);
  });

  test('both are shown when there is enough between them', async () => {
    const { repetitionEntries } = timelineLimits;
    await unboost('carol', original);
    const between: string[] = [];
    for (let count = 1; count < repetitionEntries; count += 1) between.unshift(await post('bob'));
    second = await boost('carol', original);
    expect(await read(`${homePath}?limit=40`)).toEqual([...between, first]);
    await unboost('carol', original);
    between.unshift(await post('bob'));
    second = await boost('carol', original);
    expect(await read(`${homePath}?limit=40`)).toEqual([second, ...between].slice(0, 40));
    expect(await read(`${homePath}?max_id=${between.at(-1)}`)).toEqual([first]);
  });
});

test("reblogs of one's own status are shown, except just above it", async () => {
  const own = await post('alice');
  const reblog = await boost('bob', own);
  expect(await read(homePath)).toEqual([own]);
  expect(await read(listPath())).toEqual([reblog]);
});

test("one's own reblogs are left out as those of others are", async () => {
  const [shown, elsewhere] = [await post('bob'), await post('dave')];
  await boost('alice', shown);
  const own = await boost('alice', elsewhere);
  expect(await read(homePath)).toEqual([own, shown]);
});

test('a status that a followed tag brings counts in the home alone', async () => {
  await act('alice', '/api/v1/tags/birds/follow');
  const tagged = await post('dave', 'words about #birds');
  const reblog = await boost('bob', tagged);
  expect(await read(homePath)).toEqual([tagged]);
  expect(await read(listPath())).toEqual([reblog]);
});

test('pages are full, and the same in both directions', async () => {
  const expected: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const original = await post('dave');
    expected.unshift(await boost('bob', original));
    for (let again = 0; again < count; again += 1) {
      await boost('carol', original);
      await unboost('carol', original);
    }
    await boost('carol', original);
    await boost('alice', original);
    expected.unshift(await post('carol'));
  }
  const older = await pages(`${homePath}?limit=5`, 'next');
  expect(older).toEqual([expected.slice(0, 5), expected.slice(5, 10), expected.slice(10)]);
  const newer = await pages(`${homePath}?limit=5&min_id=0`, 'prev');
  expect(newer).toEqual([expected.slice(7), expected.slice(2, 7), expected.slice(0, 2)]);
});

/** All pages that are not empty, by their links. */
async function pages(path: string, relation: 'next' | 'prev'): Promise<string[][]> {
  const found: string[][] = [];
  for (let at: string | undefined = path; at !== undefined; ) {
    const response = await gateway.fetch(at, { token: tokens.alice });
    const page = ((await response.json()) as { id: string }[]).map(({ id }) => id);
    if (page.length === 0) return found;
    found.push(page);
    const links = (response.headers.get('link') ?? '').matchAll(/<https?:\/\/[^/]+([^>]*)>; rel="(\w+)"/g);
    at = [...links].find(([, , name]) => name === relation)?.[1];
  }
  return found;
}

describe.each<Transport>(['websocket', 'server-sent events'])('streams over %s', (transport) => {
  const open = (channel: string, more: object = {}) =>
    openStream(gateway, transport, { channel, token: tokens.alice, list: listId, ...more });
  const idsIn = ({ events }: StreamReader) =>
    events.map(({ event, payload }) => `${event} ${(payload as { id?: string }).id ?? payload}`);

  test.each([
    'user',
    'list',
  ])('of channel %s leave out what the timeline leaves out, live and resumed', async (channel) => {
    const reader = await open(channel);
    const before = await post('bob');
    const { id: since } = await reader.next(({ event }) => event === 'update');
    const original = await post('dave');
    const first = await boost('bob', original);
    await boost('carol', original);
    const last = await post('carol');
    await reader.next(({ payload }) => (payload as { id?: string }).id === last);
    expect(idsIn(reader)).toEqual([`update ${before}`, `update ${first}`, `update ${last}`]);
    reader.close();
    const resumed = await open(channel, { since });
    await resumed.next(({ payload }) => (payload as { id?: string }).id === last);
    expect(idsIn(resumed)).toEqual([`update ${first}`, `update ${last}`]);
    resumed.close();
  });
});
