/** Interactions, notifications and timelines of a running server: real threads, disk, sockets and tokens. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let alice: User;
let bob: User;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.createUser('alice');
  bob = await server.createUser('bob');
});

afterAll(() => server.stop());

/** Whatever an answer holds, to be looked into by name. */
type Json = { [key: string]: Json } & Json[];

async function ask(user: User | undefined, method: string, path: string, json?: unknown) {
  const token = user === undefined ? {} : { token: user.token };
  const response = await server.fetch(path, { method, ...token, ...(json === undefined ? {} : { json }) });
  return { status: response.status, link: response.headers.get('link'), body: (await response.json()) as Json };
}

async function post(user: User, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await ask(user, 'POST', '/api/v1/statuses', { status, ...more });
  expect([code, body]).toMatchObject([200, { content: expect.any(String) }]);
  return String(body.id);
}

test('what one user does is seen at once by everybody', async () => {
  const id = await post(alice, 'hello #cats');
  const favourited = await ask(bob, 'POST', `/api/v1/statuses/${id}/favourite`);
  expect([favourited.status, favourited.body]).toMatchObject([200, { favourited: true, favourites_count: 1 }]);
  const reblogged = await ask(bob, 'POST', `/api/v1/statuses/${id}/reblog`);
  expect(reblogged.body).toMatchObject({ reblogged: true, reblog: { id, reblogs_count: 1 } });
  const reply = await post(bob, '@alice hi', { in_reply_to_id: id });

  expect((await ask(undefined, 'GET', `/api/v1/statuses/${id}/favourited_by`)).body).toMatchObject([
    { username: 'bob' },
  ]);
  expect((await ask(undefined, 'GET', `/api/v1/statuses/${id}/reblogged_by`)).body).toMatchObject([
    { username: 'bob' },
  ]);
  expect((await ask(undefined, 'GET', `/api/v1/statuses/${id}/context`)).body).toMatchObject({
    ancestors: [],
    descendants: [{ id: reply, in_reply_to_id: id }],
  });
  const heard = await ask(alice, 'GET', '/api/v1/notifications?exclude_types[]=follow');
  expect(heard.body).toMatchObject([
    { type: 'mention', status: { id: reply } },
    { type: 'reblog', status: { id } },
    { type: 'favourite', account: { username: 'bob' } },
  ]);
  expect((await ask(undefined, 'GET', '/api/v1/timelines/public?local=true')).body).toMatchObject([{ id }]);
  expect((await ask(undefined, 'GET', '/api/v1/timelines/tag/Cats')).body).toMatchObject([{ id }]);

  expect((await ask(bob, 'POST', `/api/v1/statuses/${id}/unfavourite`)).body).toMatchObject({ favourited: false });
  expect((await ask(bob, 'POST', `/api/v1/statuses/${id}/unreblog`)).body).toMatchObject({ reblogged: false });
  expect((await ask(alice, 'GET', `/api/v1/statuses/${id}`)).body).toMatchObject({
    favourites_count: 0,
    reblogs_count: 0,
    replies_count: 1,
  });
});

test('notifications are paged, dismissed and cleared', async () => {
  const before = await ask(alice, 'GET', '/api/v1/notifications?types[]=mention&limit=1');
  expect(before.link).toContain('rel="next"');
  expect(before.link).toContain('types[]=mention&limit=1&max_id=');
  const id = before.body[0]!.id;
  expect((await ask(alice, 'POST', `/api/v1/notifications/${id}/dismiss`)).body).toEqual({});
  expect((await ask(alice, 'GET', `/api/v1/notifications/${id}`)).status).toBe(404);
  for (const version of ['v1', 'v2']) {
    await post(bob, '@alice again');
    await until(async () => (await ask(alice, 'GET', '/api/v1/notifications')).body.length === 1);
    expect((await ask(alice, 'POST', `/api/${version}/notifications/clear`)).body).toEqual({});
    expect((await ask(alice, 'GET', '/api/v1/notifications')).body).toEqual([]);
  }
});

test('nobody acts on what they may not see, or without a token', async () => {
  const id = await post(alice, 'for nobody', { visibility: 'direct' });
  for (const action of ['favourite', 'unfavourite', 'reblog', 'unreblog']) {
    expect((await ask(bob, 'POST', `/api/v1/statuses/${id}/${action}`)).status).toBe(404);
    expect((await ask(undefined, 'POST', `/api/v1/statuses/${id}/${action}`)).status).toBe(401);
  }
  expect((await ask(bob, 'GET', `/api/v1/statuses/${id}/context`)).body).toEqual({ error: 'Record not found' });
});

test("a profile's statuses are listed page by page", async () => {
  const ids: string[] = [];
  for (let path: string | undefined = `/api/v1/accounts/${bob.id}/statuses?limit=1`; path !== undefined; ) {
    const page: Awaited<ReturnType<typeof ask>> = await ask(undefined, 'GET', path);
    ids.push(...page.body.map((status) => String(status.id)));
    path = /<https?:\/\/[^/]+([^>]*)>; rel="next"/.exec(page.link ?? '')?.[1];
  }
  expect(ids).toHaveLength(3);
  expect(ids).toEqual([...ids].sort().reverse());
});
