/**
 * Relays with real threads and sockets: two of ours that have joined each other, a server of ours at each, and a server
 * of Fedify at one of them.
 */
import { Create, Follow, Note, PUBLIC_COLLECTION } from '@fedify/vocab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FedifyServer, startFedifyServer } from '../../support/fedify-server.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

let servers: readonly RunningServer[];
let relays: readonly [RunningServer, RunningServer];
let here: RunningServer;
let there: RunningServer;
let remote: FedifyServer;
let alice: User;
let bob: User;

const relayEnvironment = { MURMURATION_PROFILE: 'relay', MURMURATION_RELAY_SUBSCRIPTIONS: 'open' };

beforeAll(async () => {
  // One after the other: each would make the others wait for a processor.
  const first = await startTestServer({ host: '127.0.0.2', environment: relayEnvironment });
  const second = await startTestServer({ host: '127.0.0.3', environment: relayEnvironment });
  const one = await startTestServer({ host: '127.0.0.4' });
  const other = await startTestServer({ host: '127.0.0.5' });
  const fedify = await startFedifyServer('127.0.0.6', ['remy']);
  [relays, here, there, remote] = [[first, second], one, other, fedify];
  servers = [first, second, one, other];
  [alice, bob] = await Promise.all([here.createUser('alice'), there.createUser('bob')]);
});

afterAll(async () => {
  await remote.stop();
  for (const server of servers) expect(await server.stop(), server.output()).toBe(0);
});

interface Listed {
  id: string;
  uri: string;
  content: string;
  reblog: object | null;
}

const isListing = async (server: RunningServer, user: User, uri: string): Promise<Listed | undefined> => {
  const answer = await server.fetch('/api/v1/timelines/public?remote=true', { token: user.token });
  return ((await answer.json()) as Listed[]).find((status) => status.uri === uri);
};

const join = (server: RunningServer, relay: RunningServer) =>
  server.run('relays', 'subscribe', `${relay.origin}/inbox`);

const hasJoined = (server: RunningServer, relay: RunningServer) =>
  until(async () => (await server.run('relays', 'list')).includes(`${relay.host}  accepted`));

test('relays are joined by command, and say so', async () => {
  const [first, second] = relays;
  const joining = [
    [here, first],
    [there, second],
    [first, second],
    [second, first],
  ] as const;
  for (const [server, relay] of joining) expect(await join(server, relay)).toContain(`${relay.host}: pending`);
  for (const [server, relay] of joining) await hasJoined(server, relay);
  const follow = new Follow({
    id: remote.newAddress('activities'),
    actor: remote.actor('remy'),
    object: PUBLIC_COLLECTION,
  });
  await remote.send('remy', new URL(`${second.origin}/actor`), follow);
  await until(async () => (await second.run('relay', 'list')).includes(`${remote.host}  active`));
});

test('a post goes through both relays to all others, once, and to nobody’s home', async () => {
  const stream = await openStream(there, 'websocket', { channel: 'public:remote', token: bob.token });
  const posted = await here.fetch('/api/v1/statuses', {
    ...{ method: 'POST', token: alice.token },
    json: { status: 'to everybody #news', visibility: 'public' },
  });
  const { uri } = (await posted.json()) as Listed;
  await stream.next(({ event, payload }) => event === 'update' && JSON.stringify(payload).includes('to everybody'));
  stream.close();
  const listed = await until(() => isListing(there, bob, uri));
  expect(listed).toMatchObject({ content: expect.stringContaining('to everybody'), reblog: null });
  const tagged = (await (await there.fetch('/api/v1/timelines/tag/news', { token: bob.token })).json()) as Listed[];
  expect(tagged.map((status) => status.uri)).toEqual([uri]);
  expect(await (await there.fetch('/api/v1/timelines/home', { token: bob.token })).json()).toEqual([]);
  expect(await (await there.fetch('/api/v1/notifications', { token: bob.token })).json()).toEqual([]);
  // Fedify has verified the signature of the document: the request was signed by the relay.
  const { object } = await until(() =>
    remote.received.find(({ activity }) => activity.actorId?.href.endsWith('/alice')),
  );
  expect(object?.id?.href).toBe(uri);

  const deleted = await here.fetch(`/api/v1/statuses/${uri.split('/').at(-1)}`, {
    method: 'DELETE',
    token: alice.token,
  });
  expect(deleted.status).toBe(200);
  await until(async () => (await isListing(there, bob, uri)) === undefined);
});

test('a post of Fedify goes through both relays to ours', async () => {
  const [first, second] = relays;
  const note = new Note({
    id: remote.newAddress('notes'),
    attribution: remote.actor('remy'),
    content: '<p>from remy</p>',
    to: PUBLIC_COLLECTION,
  });
  const create = new Create({
    id: remote.newAddress('activities'),
    actor: remote.actor('remy'),
    object: note,
    to: PUBLIC_COLLECTION,
  });
  await remote.send('remy', new URL(`${second.origin}/actor`), create);
  for (const [server, user] of [
    [there, bob],
    [here, alice],
  ] as const)
    expect(await until(() => isListing(server, user, note.id!.href))).toMatchObject({ content: '<p>from remy</p>' });
  expect(first.output() + second.output()).not.toContain('error');
});

test('no post goes round between the relays', async () => {
  for (const relay of relays) {
    expect(await relay.run('relay', 'list')).not.toContain('dropped');
    const status = await (await relay.fetch('/relay/status.json')).json();
    // The post, its deletion, and the post of Fedify.
    expect(status).toMatchObject({ posts: { passedOn: 3 } });
  }
  const [first, second] = relays;
  expect(await here.run('relays', 'list')).toMatch(new RegExp(`^${first.host}  accepted.*, 1 received, 1 of them new`));
  expect(await there.run('relays', 'list')).toMatch(
    new RegExp(`^${second.host}  accepted.*, 3 received, 3 of them new`),
  );
});

test('a relay that was left sends nothing any more', async () => {
  const [first, second] = relays;
  expect(await there.run('relays', 'leave', second.host)).toContain('left');
  await until(async () => !(await second.run('relay', 'list')).includes(there.host));
  expect(await there.run('relays', 'list')).toContain('joined no relay');
  expect(await here.run('relays', 'list')).toContain(`${first.host}  accepted`);
});
