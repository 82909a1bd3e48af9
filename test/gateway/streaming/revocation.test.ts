/** Streams close when their token is revoked or their account is suspended or disabled. */
import { WebSocket } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import { type User, Users } from '../../support/users.ts';

let server: RunningServer;
let people: Users;

beforeAll(async () => {
  server = await startTestServer();
  people = await Users.of(server);
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

/** The code with which a socket is closed, once it is. */
async function openSocket({ token }: User): Promise<{ code(): number | undefined }> {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/v1/streaming?stream=user`, token);
  let code: number | undefined;
  socket.addEventListener('close', (event) => {
    code = event.code;
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the WebSocket could not be opened')));
  });
  return { code: () => code };
}

async function openEvents(person: User): Promise<{ ended(): boolean }> {
  const answer = await server.fetch('/api/v1/streaming/user', { token: person.token });
  expect(answer.status).toBe(200);
  let ended = false;
  void answer.text().finally(() => {
    ended = true;
  });
  return { ended: () => ended };
}

test.each<[string, (person: User) => Promise<unknown>]>([
  ['revoked', ({ token }) => people.ask(undefined, 'POST', '/oauth/revoke', { ...people.client, token })],
  ['suspended', ({ username }) => server.run('accounts', 'modify', username, '--suspend')],
  ['disabled', ({ username }) => server.run('accounts', 'modify', username, '--disable')],
])('a stream ends when its owner is %s, and cannot be opened again', async (how, end) => {
  const person = await people.add(`${how}_person`);
  const bystander = await people.add(`${how}_bystander`);
  const socket = await openSocket(person);
  const events = await openEvents(person);
  const other = await openSocket(bystander);
  await end(person);
  await until(() => socket.code() === 1008, { description: 'the WebSocket to be closed' });
  await until(() => events.ended(), { description: 'the events to end' });
  await expect(openSocket(person)).rejects.toThrow();
  expect([401, 403]).toContain((await server.fetch('/api/v1/streaming/user', { token: person.token })).status);
  expect(other.code()).toBeUndefined();
});

const isStatus = (id: unknown) => (event: { payload: unknown }) =>
  (event.payload as { id?: unknown } | null)?.id === id;

test.each<Transport>([
  'websocket',
  'server-sent events',
])('over %s channels that staff have closed carry nothing more, but for staff, until they are opened again', async (transport) => {
  const tag = transport.replaceAll(/\W/g, '');
  const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => people.add(`${name}_${tag}`)));
  const posts: Record<string, unknown>[] = [];
  const tagged = async () =>
    posts.push((await people.ask(alice, 'POST', '/api/v1/statuses', { status: `a #${tag} wren` })).body);
  const open = (user: User, channel: string, more = {}) =>
    openStream(server, transport, { channel, token: user.token, ...more });
  const [members, staff] = [[], []] as Awaited<ReturnType<typeof open>>[][];
  await server.run('accounts', 'modify', carol!.username, '--role', 'moderator');
  for (const [user, list] of [
    [bob!, members!],
    [carol!, staff!],
  ] as const)
    list.push(await open(user, 'public:local'), await open(user, 'public'));
  const topic = await open(bob!, 'hashtag', { tag });
  await tagged();
  for (const reader of [...members!, ...staff!, topic]) await reader.next(isStatus(posts[0]!.id));
  await server.run('settings', 'local-live-feed', 'disabled');
  await tagged();
  for (const reader of [...staff!, topic]) await reader.next(isStatus(posts[1]!.id));
  await people.ask(alice, 'DELETE', `/api/v1/statuses/${posts[0]!.id}`);
  // What was shown is taken back.
  for (const reader of members!)
    expect((await reader.next(({ payload }) => payload === posts[0]!.id)).event).toBe('delete');
  await server.run('settings', 'local-live-feed', 'authenticated');
  await tagged();
  for (const reader of [...members!, ...staff!, topic]) await reader.next(isStatus(posts[2]!.id));
  for (const reader of members!) expect(reader.events.some(isStatus(posts[1]!.id))).toBe(false);
  // A replay obeys as well.
  await server.run('settings', 'local-live-feed', 'disabled');
  const back = await open(bob!, 'public:local', { since: members![0]!.events.find(isStatus(posts[0]!.id))!.id });
  await back.next(({ payload }) => payload === posts[0]!.id);
  expect(back.events.some(isStatus(posts[1]!.id))).toBe(false);
  await server.run('settings', 'local-live-feed', 'public');
  await tagged();
  await back.next(isStatus(posts[3]!.id));
  await server.run('accounts', 'modify', carol!.username, '--role', 'user');
  for (const reader of [...members!, ...staff!, topic, back]) reader.close();
});
