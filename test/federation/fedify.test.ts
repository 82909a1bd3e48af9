/**
 * A real remote server: Fedify follows a local account, receives the signed Create and verifies it with its own code,
 * replies, likes and boosts; all of it shows in the notifications and on the stream.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FedifyServer, startFedifyServer } from '../support/fedify-server.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { openStream, type StreamReader } from '../support/stream-readers.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

let server: RunningServer;
let remote: FedifyServer;
let alice: User;
let stream: StreamReader;
const aliceActor = () => `${server.origin}/users/alice`;
const wait = { deadlineMilliseconds: 10_000 };

beforeAll(async () => {
  [server, remote] = await Promise.all([startTestServer({ host: '127.0.0.1' }), startFedifyServer('127.0.0.2')]);
  alice = await server.createUser('alice');
  stream = await openStream(server, 'websocket', { channel: 'user', token: alice.token });
});

afterAll(async () => {
  stream.close();
  await remote.stop();
  expect(await server.stop(), server.output()).toBe(0);
});

async function api<Value>(method: string, path: string, json?: unknown): Promise<Value> {
  const answer = await server.fetch(path, { method, token: alice.token, ...(json === undefined ? {} : { json }) });
  expect(answer.status, `${method} ${path}: ${answer.status}`).toBe(200);
  return (await answer.json()) as Value;
}

interface Status {
  id: string;
  uri: string;
  favourites_count: number;
  reblogs_count: number;
  replies_count: number;
}

const post = (status: string) => api<Status>('POST', '/api/v1/statuses', { status });
const notificationOf = (type: string) => (event: { event: string; payload: unknown }) =>
  event.event === 'notification' && (event.payload as { type: string }).type === type;

test('it follows, and is accepted', async () => {
  await remote.follow(aliceActor());
  await until(() => remote.received.some(({ type }) => type === 'Accept'), { ...wait, description: 'the Accept' });
  const { payload } = await stream.next(notificationOf('follow'));
  expect(payload).toMatchObject({ account: { acct: `remy@${remote.host}`, display_name: 'Remy' } });
});

test('it receives what is published, signed, and verifies it', async () => {
  const status = await post('Hello, fediverse! #introductions');
  await until(() => remote.received.some(({ objectId }) => objectId === status.uri), {
    ...wait,
    description: 'the Create',
  });
  const create = remote.received.find(({ objectId }) => objectId === status.uri)!;
  expect(create).toMatchObject({ type: 'Create', id: `${status.uri}/activity` });
  expect(create.content).toContain('Hello, fediverse!');
});

test('its reply, its like and its boost arrive', async () => {
  const status = await post('React to me');
  await remote.reply(aliceActor(), status.uri, '<p>Gladly.</p>');
  await remote.like(aliceActor(), status.uri);
  await remote.boost(aliceActor(), status.uri);
  for (const type of ['favourite', 'reblog']) {
    const { payload } = await stream.next(notificationOf(type));
    expect(payload).toMatchObject({ account: { acct: `remy@${remote.host}` }, status: { id: status.id } });
  }
  await until(async () => (await api<Status>('GET', `/api/v1/statuses/${status.id}`)).replies_count === 1, {
    ...wait,
    description: 'the reply',
  });
  expect(await api<Status>('GET', `/api/v1/statuses/${status.id}`)).toMatchObject({
    favourites_count: 1,
    reblogs_count: 1,
    replies_count: 1,
  });
  const context = await api<{ descendants: { content: string; account: { acct: string } }[] }>(
    'GET',
    `/api/v1/statuses/${status.id}/context`,
  );
  expect(context.descendants).toMatchObject([{ content: '<p>Gladly.</p>', account: { acct: `remy@${remote.host}` } }]);
  const notifications = await api<{ type: string }[]>('GET', '/api/v1/notifications');
  expect(notifications.map(({ type }) => type)).toEqual(expect.arrayContaining(['favourite', 'reblog', 'follow']));
});

test('it hears of a deletion', async () => {
  const status = await post('Soon gone');
  await until(() => remote.received.some(({ objectId }) => objectId === status.uri), {
    ...wait,
    description: 'the Create',
  });
  await api('DELETE', `/api/v1/statuses/${status.id}`);
  await until(() => remote.received.some(({ type }) => type === 'Delete'), { ...wait, description: 'the Delete' });
});

test('it goes, and hears no more', async () => {
  await remote.unfollow(aliceActor());
  await until(
    async () =>
      (await api<{ followers_count: number }>('GET', '/api/v1/accounts/verify_credentials')).followers_count === 0,
    {
      ...wait,
      description: 'the follower to be gone',
    },
  );
});

test('a local account follows it', async () => {
  const found = await post(`Hello @remy@${remote.host}`);
  expect(found).toMatchObject({ mentions: [{ acct: `remy@${remote.host}` }] });
  const { id } = await api<{ id: string }>('GET', `/api/v1/accounts/lookup?acct=remy@${remote.host}`);
  const relationship = await api<{ following: unknown }>('POST', `/api/v1/accounts/${id}/follow`);
  expect(relationship.following).toEqual({ reblogs: true });
  await until(() => remote.received.some(({ type }) => type === 'Follow'), { ...wait, description: 'the Follow' });
});
