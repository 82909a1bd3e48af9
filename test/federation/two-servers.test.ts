/** Two servers of ours on two loopback addresses federate with each other. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startTestServer, type TestUser } from '../support/server.ts';
import { openStream, type StreamReader } from '../support/stream-readers.ts';
import { until } from '../support/until.ts';

interface Place {
  readonly server: RunningServer;
  readonly user: TestUser;
  readonly stream: StreamReader;
}

let here: Place;
let there: Place;
const wait = { deadlineMilliseconds: 10_000 };

async function place(host: string, username: string): Promise<Place> {
  const server = await startTestServer({ host });
  const user = await server.createUser(username);
  return { server, user, stream: await openStream(server, 'websocket', { channel: 'user', token: user.token }) };
}

beforeAll(async () => {
  [here, there] = await Promise.all([place('127.0.0.1', 'alice'), place('127.0.0.2', 'bob')]);
});

afterAll(async () => {
  for (const { server, stream } of [here, there]) {
    stream.close();
    expect(await server.stop(), server.output()).toBe(0);
    expect(server.output()).not.toContain('"level":"error"');
  }
});

async function api<Value>({ server, user }: Place, method: string, path: string, json?: unknown): Promise<Value> {
  const answer = await server.fetch(path, { method, token: user.token, ...(json === undefined ? {} : { json }) });
  expect(answer.status, `${method} ${path}`).toBe(200);
  return (await answer.json()) as Value;
}

interface Status {
  id: string;
  uri: string;
  content: string;
  visibility: string;
  favourites_count: number;
  reblogs_count: number;
}

interface Account {
  id: string;
  acct: string;
}

const handle = ({ server, user }: Place) => `${user.username}@${server.host}`;
const post = (from: Place, json: object) => api<Status>(from, 'POST', '/api/v1/statuses', json);
const notificationOf = (type: string) => (event: { event: string; payload: unknown }) =>
  event.event === 'notification' && (event.payload as { type: string }).type === type;

/** The copy of a status that another server holds, as its home stream brought it. */
async function copyOf(status: Status, at: Place): Promise<Status> {
  const { payload } = await at.stream.next(
    ({ event, payload }) => event === 'update' && (payload as Status).uri === status.uri,
  );
  return payload as Status;
}

/** Finds the other's account by mentioning it. */
async function meet(from: Place, to: Place): Promise<Account> {
  await post(from, { status: `Hello @${handle(to)}`, visibility: 'direct' });
  return api<Account>(from, 'GET', `/api/v1/accounts/lookup?acct=${handle(to)}`);
}

test('a direct mention introduces them', async () => {
  const alice = await meet(there, here);
  expect(alice.acct).toBe(handle(here));
  const { payload } = await here.stream.next(notificationOf('mention'));
  expect(payload).toMatchObject({ account: { acct: handle(there) }, status: { visibility: 'direct' } });
});

test('a follow is accepted, and posts arrive live, each once', async () => {
  const alice = await api<Account>(there, 'GET', `/api/v1/accounts/lookup?acct=${handle(here)}`);
  await api(there, 'POST', `/api/v1/accounts/${alice.id}/follow`);
  await here.stream.next(notificationOf('follow'));
  const open = await post(here, { status: 'For everybody #crossing', visibility: 'public' });
  const closed = await post(here, { status: 'For followers', visibility: 'private' });
  for (const status of [open, closed]) {
    const copy = await copyOf(status, there);
    expect(copy).toMatchObject({ content: expect.stringContaining('For '), visibility: status.visibility });
  }
  const home = await api<Status[]>(there, 'GET', '/api/v1/timelines/home');
  expect(home.filter(({ uri }) => uri === open.uri)).toHaveLength(1);
});

test('favourite, boost, reply and their undo travel back', async () => {
  const status = await post(here, { status: 'React to this' });
  const copy = await copyOf(status, there);
  await api(there, 'POST', `/api/v1/statuses/${copy.id}/favourite`);
  await api(there, 'POST', `/api/v1/statuses/${copy.id}/reblog`);
  await here.stream.next(notificationOf('favourite'));
  await here.stream.next(notificationOf('reblog'));
  const seen = () => api<Status>(here, 'GET', `/api/v1/statuses/${status.id}`);
  expect(await seen()).toMatchObject({ favourites_count: 1, reblogs_count: 1 });
  const reply = await post(there, { status: `@${handle(here)} done`, in_reply_to_id: copy.id });
  await until(
    async () =>
      (await api<{ descendants: Status[] }>(here, 'GET', `/api/v1/statuses/${status.id}/context`)).descendants[0]
        ?.uri === reply.uri,
    { ...wait, description: 'the reply' },
  );
  await api(there, 'POST', `/api/v1/statuses/${copy.id}/unfavourite`);
  await api(there, 'POST', `/api/v1/statuses/${copy.id}/unreblog`);
  await until(async () => (await seen()).favourites_count === 0 && (await seen()).reblogs_count === 0, {
    ...wait,
    description: 'the undos',
  });
});

test('a deletion arrives', async () => {
  const status = await post(here, { status: 'Soon gone' });
  const copy = await copyOf(status, there);
  await api(here, 'DELETE', `/api/v1/statuses/${status.id}`);
  await until(async () => (await there.server.fetch(`/api/v1/statuses/${copy.id}`)).status === 404, {
    ...wait,
    description: 'the deletion',
  });
});

test('a locked account decides, and its answer arrives', async () => {
  await api(there, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
  const bob = await api<Account>(here, 'GET', `/api/v1/accounts/lookup?acct=${handle(there)}`);
  await api(here, 'POST', `/api/v1/accounts/${bob.id}/follow`);
  await there.stream.next(notificationOf('follow_request'));
  const requests = await api<Account[]>(there, 'GET', '/api/v1/follow_requests');
  expect(requests.map(({ acct }) => acct)).toEqual([handle(here)]);
  await api(there, 'POST', `/api/v1/follow_requests/${requests[0]!.id}/authorize`);
  const status = await post(there, { status: 'For my new follower', visibility: 'private' });
  expect(await copyOf(status, here)).toMatchObject({ visibility: 'private' });
});

test('a block ends both follows, on both sides', async () => {
  const alice = await api<Account>(there, 'GET', `/api/v1/accounts/lookup?acct=${handle(here)}`);
  await api(there, 'POST', `/api/v1/accounts/${alice.id}/block`);
  const bob = await api<Account>(here, 'GET', `/api/v1/accounts/lookup?acct=${handle(there)}`);
  const relationship = async () =>
    (
      await api<{ following: unknown; followed_by: boolean; blocked_by: boolean }[]>(
        here,
        'GET',
        `/api/v1/accounts/relationships?id[]=${bob.id}`,
      )
    )[0]!;
  await until(async () => (await relationship()).blocked_by, { ...wait, description: 'the block' });
  await until(async () => (await relationship()).following === false, {
    ...wait,
    description: 'the end of the follow',
  });
  expect(await relationship()).toMatchObject({ following: false, followed_by: false });
});
