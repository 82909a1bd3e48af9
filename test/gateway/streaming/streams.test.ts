/** Streaming over a running server: one suite, both transports (specification 6.1, behaviour of the Mastodon API). */
import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serverSentEndpoints } from '../../../src/gateway/streaming/server-sent-events.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let alice: User;
let bob: User;
let carol: User;

beforeAll(async () => {
  // More threads and partitions than the machine has cores, so that every message has a way to go.
  server = await startTestServer({
    environment: {
      MURMURATION_GATEWAYS: '2',
      MURMURATION_OWNERS: '2',
      MURMURATION_PARTITIONS: '4',
      MURMURATION_NETWORK_THREADS: '2',
    },
  });
  [alice, bob, carol] = await Promise.all([
    server.createUser('alice'),
    server.createUser('bob'),
    server.createUser('carol'),
  ]);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

async function request<Body = Record<string, unknown>>(
  user: User,
  method: string,
  path: string,
  json?: unknown,
): Promise<Body> {
  const answer = await server.fetch(path, { method, token: user.token, ...(json === undefined ? {} : { json }) });
  expect(answer.status, `${method} ${path}`).toBe(200);
  return (await answer.json()) as Body;
}

const post = (user: User, status: string, more: object = {}) =>
  request(user, 'POST', '/api/v1/statuses', { status, ...more });
const isStatus = (id: unknown) => (event: { payload: unknown }) =>
  (event.payload as { id?: unknown } | null)?.id === id;

describe.each<Transport>(['websocket', 'server-sent events'])('over %s', (transport) => {
  test('everybody hears of announcements, of reactions to them, and of their end', async () => {
    const readers = await Promise.all(
      [alice, bob, carol].map(({ token }) => openStream(server, transport, { channel: 'user', token })),
    );
    const heard = (name: string) => Promise.all(readers.map((reader) => reader.next(({ event }) => event === name)));
    await server.run('announcements', 'publish', 'Birds');
    const announcements = (await heard('announcement')).map(({ payload }) => payload as { id: string });
    const { id } = announcements[0]!;
    expect(announcements).toEqual(announcements.map(() => expect.objectContaining({ id, content: '<p>Birds</p>' })));
    expect(announcements[0]).not.toHaveProperty('read');
    await request(bob, 'PUT', `/api/v1/announcements/${id}/reactions/%F0%9F%90%A6`);
    for (const { payload } of await heard('announcement.reaction'))
      expect(payload).toEqual({ name: '\u{1f426}', count: 1, announcement_id: id });
    await server.run('announcements', 'withdraw', id);
    for (const { payload } of await heard('announcement.delete')) expect(payload).toBe(id);
    for (const reader of readers) reader.close();
  });

  test('the home channel carries what followed accounts and oneself publish, and nothing else', async () => {
    await request(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
    const reader = await openStream(server, transport, { channel: 'user', token: bob.token });
    const stranger = await post(carol, 'not for bob');
    const followed = await post(alice, 'for my followers', { visibility: 'private' });
    const own = await post(bob, 'my own');
    const event = await reader.next(isStatus(followed.id));
    expect(event.event).toBe('update');
    await reader.next(isStatus(own.id));
    expect(reader.events.some(isStatus(stranger.id))).toBe(false);
    reader.close();
  });

  test('the home channel carries a direct status to its author and to the follower that it mentions, live and later', async () => {
    await request(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
    const open = (user: User, since = {}) =>
      openStream(server, transport, { channel: 'user', token: user.token, ...since });
    const readers = [await open(alice), await open(bob)];
    const first = await post(alice, 'from here on');
    const secret = await post(alice, '@carol who does not follow me', { visibility: 'direct' });
    const direct = await post(alice, '@bob who follows me', { visibility: 'direct' });
    const { id: since } = await readers[1]!.next(isStatus(first.id));
    readers.push(await open(bob, { since }));
    for (const reader of readers) expect((await reader.next(isStatus(direct.id))).event).toBe('update');
    for (const reader of readers.slice(1)) expect(reader.events.some(isStatus(secret.id))).toBe(false);
    const homeOf = async (user: User) =>
      (await request<{ id: string }[]>(user, 'GET', '/api/v1/timelines/home?limit=2')).map(({ id }) => id);
    expect(await homeOf(alice)).toEqual([direct.id, secret.id]);
    expect(await homeOf(bob)).toEqual([direct.id, first.id]);
    expect(await homeOf(carol)).not.toContain(secret.id);
    for (const reader of readers) reader.close();
  });

  test('the home channel leaves out a reblog of what is just below, as soon as the ring of the home is filled', async () => {
    await request(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
    const reader = await openStream(server, transport, { channel: 'user', token: bob.token });
    const isLeftOut = async () => {
      const shown = await post(alice, 'to be reblogged');
      await reader.next(isStatus(shown.id));
      const reblog = await request(bob, 'POST', `/api/v1/statuses/${shown.id}/reblog`);
      const last = await post(bob, 'after it');
      await reader.next(isStatus(last.id));
      const home = await request<{ id: string }[]>(bob, 'GET', '/api/v1/timelines/home?limit=2');
      expect(home.map(({ id }) => id)).toEqual([last.id, shown.id]);
      return !reader.events.some(isStatus(reblog.id));
    };
    await until(isLeftOut, { description: 'a reblog that is left out' });
    expect(await isLeftOut()).toBe(true);
    reader.close();
  });

  test('a deleted status is told by its bare id', async () => {
    const reader = await openStream(server, transport, { channel: 'user', token: bob.token });
    const status = await post(alice, 'soon gone');
    await request(alice, 'DELETE', `/api/v1/statuses/${status.id}`);
    const event = await reader.next(({ event: name }) => name === 'delete');
    expect(event.payload).toBe(status.id);
    reader.close();
  });

  test('who was only mentioned is told of the deletion too, and once', async () => {
    const readers = await Promise.all(
      [bob, carol].map(({ token }) => openStream(server, transport, { channel: 'user', token })),
    );
    const deletions = (reader: (typeof readers)[number]) =>
      reader.events.filter(({ event }) => event === 'delete').map(({ payload }) => payload);
    const status = await post(alice, '@carol @bob soon gone');
    for (const reader of readers) await reader.next(({ event }) => event === 'notification');
    await request(alice, 'DELETE', `/api/v1/statuses/${status.id}`);
    for (const reader of readers) await reader.next(({ event }) => event === 'delete');
    const direct = await post(alice, '@carol for you', { visibility: 'direct' });
    await readers[1]!.next(({ event, payload }) => event === 'notification' && payload !== undefined);
    await request(alice, 'PUT', `/api/v1/statuses/${direct.id}`, { status: 'for nobody' });
    await readers[1]!.next(({ event, payload }) => event === 'delete' && payload === direct.id);
    expect(readers.map(deletions)).toEqual([[status.id], [status.id, direct.id]]);
    for (const reader of readers) reader.close();
  });

  test('an edited status is told anew to those who have it, and to those who reblogged it', async () => {
    const status = await post(alice, 'before', { visibility: 'unlisted' });
    await request(carol, 'POST', `/api/v1/statuses/${status.id}/reblog`);
    await request(bob, 'POST', `/api/v1/statuses/${status.id}/bookmark`);
    const open = (user: User, channel: string) => openStream(server, transport, { channel, token: user.token });
    const readers = [await open(alice, 'user'), await open(bob, 'user')];
    const reblogger = await open(carol, 'user:notification');
    await request(alice, 'PUT', `/api/v1/statuses/${status.id}`, { status: 'after' });
    for (const [index, reader] of readers.entries()) {
      const { payload } = await reader.next((event) => event.event === 'status.update' && isStatus(status.id)(event));
      expect(payload).toMatchObject({ content: '<p>after</p>', edited_at: expect.stringMatching(/Z$/) });
      expect(payload).toMatchObject({ bookmarked: index === 1 });
      reader.close();
    }
    const { payload } = await reblogger.next(({ event }) => event === 'notification');
    expect(payload).toMatchObject({ type: 'update', status: { id: status.id, content: '<p>after</p>' } });
    reblogger.close();
  });

  test('notifications come on both channels that carry them', async () => {
    const home = await openStream(server, transport, { channel: 'user', token: alice.token });
    const only = await openStream(server, transport, { channel: 'user:notification', token: alice.token });
    const status = await post(carol, 'hello @alice');
    for (const reader of [home, only]) {
      const event = await reader.next(({ event: name }) => name === 'notification');
      expect(event.payload).toMatchObject({
        type: 'mention',
        account: { username: 'carol' },
        status: { id: status.id },
      });
      reader.close();
    }
    expect(only.events.every(({ event }) => event === 'notification')).toBe(true);
  });

  test('the home channel tells a token what it may read, live and afterwards', async () => {
    const tokenFor = async (scope: string) => (await server.run('tokens', 'create', 'alice', '--scopes', scope)).trim();
    const tokens = await Promise.all(['read:statuses', 'read:notifications'].map(tokenFor));
    const open = (token: string, since = {}) => openStream(server, transport, { channel: 'user', token, ...since });
    const all = await open(alice.token);
    const first = await post(alice, 'from here on');
    const { id: since } = await all.next(isStatus(first.id));
    all.close();
    const live = await Promise.all(tokens.map((token) => open(token)));
    await post(carol, 'one @alice');
    const own = await post(alice, 'my own');
    const last = await post(carol, 'two @alice');
    const resumed = await Promise.all(tokens.map((token) => open(token, { since: since! })));
    for (const [statuses, notifications] of [live, resumed]) {
      await statuses!.next(isStatus(own.id));
      await notifications!.next(({ payload }) =>
        isStatus(last.id)({ payload: (payload as { status?: unknown }).status }),
      );
      expect(new Set(statuses!.events.map(({ event }) => event))).toEqual(new Set(['update']));
      expect(new Set(notifications!.events.map(({ event }) => event))).toEqual(new Set(['notification']));
      for (const reader of [statuses!, notifications!]) reader.close();
    }
  });

  test('public channels carry public statuses, tag channels those with the tag', async () => {
    const open = (channel: string, tag?: string) =>
      openStream(server, transport, { channel, token: carol.token, ...(tag === undefined ? {} : { tag }) });
    const [everything, local, remote, tagged] = await Promise.all([
      open('public'),
      open('public:local'),
      open('public:remote'),
      open('hashtag', 'Otters'),
    ]);
    const hidden = await post(alice, 'unlisted #otters', { visibility: 'unlisted' });
    const plain = await post(alice, 'no tag');
    const otters = await post(alice, 'look: #Ötters');
    for (const reader of [everything!, local!, tagged!]) await reader.next(isStatus(otters.id));
    expect(everything!.events.some(isStatus(plain.id))).toBe(true);
    expect(tagged!.events.some(isStatus(plain.id))).toBe(false);
    for (const reader of [everything!, local!, remote!, tagged!]) {
      expect(reader.events.some(isStatus(hidden.id))).toBe(false);
      reader.close();
    }
    expect(remote!.events).toEqual([]);
  });

  test('a block hides at once, and undoing it shows again', async () => {
    const reader = await openStream(server, transport, { channel: 'public', token: carol.token });
    await request(carol, 'POST', `/api/v1/accounts/${alice.id}/block`);
    const hidden = await post(alice, 'carol does not see this');
    await request(carol, 'POST', `/api/v1/accounts/${alice.id}/unblock`);
    const shown = await post(alice, 'carol sees this');
    await reader.next(isStatus(shown.id));
    expect(reader.events.some(isStatus(hidden.id))).toBe(false);
    reader.close();
  });

  test('a stream that comes back gets what it missed, once and in order', async () => {
    const before = await openStream(server, transport, { channel: 'user', token: bob.token });
    const first = await post(alice, 'seen live');
    const { id: since } = await before.next(isStatus(first.id));
    before.close();
    const missed = [
      await post(alice, 'missed 1'),
      await post(carol, 'missed, but a stranger'),
      await post(alice, 'missed 2'),
    ];
    const after = await openStream(server, transport, { channel: 'user', token: bob.token, since: since! });
    const live = await post(alice, 'live again');
    await after.next(isStatus(live.id));
    const updates = after.events
      .filter(({ event }) => event === 'update')
      .map(({ payload }) => (payload as { id: string }).id);
    expect(updates).toEqual([missed[0]!.id, missed[2]!.id, live.id]);
    after.close();
  });

  test('the streamed status is the one that the API answers', async () => {
    const reader = await openStream(server, transport, { channel: 'public:local', token: bob.token });
    const status = await post(alice, 'the same everywhere #same https://example.org/');
    const event = await reader.next(isStatus(status.id));
    const answer = await request(bob, 'GET', `/api/v1/statuses/${status.id}`);
    expect(event.payload).toEqual(answer);
    reader.close();
  });
});

describe('the WebSocket', () => {
  function open(
    token: string | undefined,
    query = '',
  ): Promise<{ socket: WebSocket; frames: Record<string, unknown>[] }> {
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/v1/streaming${query}`, token);
    const frames: Record<string, unknown>[] = [];
    socket.addEventListener('message', (message) =>
      frames.push(JSON.parse(String(message.data)) as Record<string, unknown>),
    );
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve({ socket, frames }));
      socket.addEventListener('error', () => reject(new Error('refused')));
    });
  }

  /** The server has read all messages that were sent so far: the last is one that it refuses. */
  async function allRead({ socket, frames }: Awaited<ReturnType<typeof open>>): Promise<void> {
    socket.send(JSON.stringify({ type: 'subscribe', stream: 'nonsense' }));
    await until(() => frames.at(-1)?.error === 'Unknown stream type', { description: 'the refusal' });
  }

  test('many channels share one socket, and a channel asked for twice comes once', async () => {
    const { socket, frames } = await open(carol.token);
    for (const stream of ['public', 'public:local', 'public'])
      socket.send(JSON.stringify({ type: 'subscribe', stream }));
    socket.send(JSON.stringify({ type: 'subscribe', stream: 'hashtag', tag: 'Otters' }));
    await allRead({ socket, frames });
    expect(frames[0]).toEqual({ error: 'Unknown stream type', status: 400 });
    await post(alice, 'again #otters');
    await until(() => frames.length === 4, { description: 'one frame per channel' });
    expect(frames.slice(1).map(({ stream }) => stream)).toEqual(
      expect.arrayContaining([['public'], ['public:local'], ['hashtag', 'Otters']]),
    );
    socket.send(JSON.stringify({ type: 'unsubscribe', stream: 'public' }));
    socket.send('not json');
    await until(() => frames.length === 5, { description: 'the refusal of what is not JSON' });
    await post(alice, 'once more');
    await until(() => frames.length === 6, { description: 'the local channel only' });
    expect(frames[5]).toMatchObject({ stream: ['public:local'], event: 'update' });
    socket.close();
  });

  test.each([
    ['no token', undefined],
    ['a wrong token', 'nonsense'],
  ])('%s is refused', async (_, token) => {
    await expect(open(token)).rejects.toThrow('refused');
  });

  test('a tag channel without a tag is an error frame, and the socket stays open', async () => {
    const { socket, frames } = await open(alice.token);
    socket.send(JSON.stringify({ type: 'subscribe', stream: 'hashtag', tag: '' }));
    await until(() => frames.length === 1, { description: 'the error frame' });
    expect(frames[0]).toEqual({ error: 'Unknown stream type', status: 400 });
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.close();
  });

  test("somebody else's list is an error frame, an own one a channel under its id (specification 4.5, 6.1)", async () => {
    const list = String((await request(alice, 'POST', '/api/v1/lists', { title: 'Friends' })).id);
    const [own, others] = [await open(alice.token), await open(carol.token)];
    for (const { socket } of [own, others]) socket.send(JSON.stringify({ type: 'subscribe', stream: 'list', list }));
    await until(() => others.frames.length === 1, { description: 'the error frame' });
    expect(others.frames).toEqual([{ error: 'Record not found', status: 404 }]);
    await allRead(own);
    await request(alice, 'POST', `/api/v1/accounts/${carol.id}/follow`);
    await request(alice, 'POST', `/api/v1/lists/${list}/accounts`, { account_ids: [carol.id] });
    await post(carol, 'to the list');
    await until(() => own.frames.length === 2, { description: 'the post of the member' });
    expect(own.frames[1]).toMatchObject({ stream: ['list', list], event: 'update' });
    await request(alice, 'POST', `/api/v1/accounts/${carol.id}/unfollow`);
    for (const { socket } of [own, others]) socket.close();
  });

  test('members of a message that a client has nothing for may be null', async () => {
    const { socket, frames } = await open(carol.token);
    socket.send(JSON.stringify({ type: 'subscribe', stream: 'public:local', tag: null, list: null, since: null }));
    await allRead({ socket, frames });
    await post(alice, 'for whoever writes null');
    await until(() => frames.length === 2, { description: 'the status' });
    expect(frames[1]).toMatchObject({ stream: ['public:local'], event: 'update' });
    socket.close();
  });
});

describe('plain HTTP', () => {
  test.each([
    ['/api/v1/streaming/health', 200],
    ['/api/v1/streaming/nonsense', 400],
    ['/api/v1/streaming/user', 401],
    ['/api/v1/streaming', 404],
  ])('%s answers %i', async (path, status) => {
    expect((await server.fetch(path)).status).toBe(status);
  });

  test('leads to the origin that serves streams, and a client asks there in the same way', async () => {
    const streamingOrigin = 'https://streams.example';
    const gateway = startTestGateway({
      endpoints: serverSentEndpoints(() => {
        throw new Error('there is no hub');
      }),
      environment: { MURMURATION_STREAMING_ORIGIN: streamingOrigin },
    });
    onTestFinished(() => gateway.close());
    for (const query of ['', '?stream=public&tag=a%20b']) {
      const answer = await gateway.fetch(`/api/v1/streaming${query}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        307,
        `${streamingOrigin}/api/v1/streaming${query}`,
      ]);
    }
  });
});
