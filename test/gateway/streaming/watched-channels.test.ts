/**
 * Channels that watch one status, one thread or one account, over a running server whose WebSockets are compressed for
 * clients that ask for it.
 */
import * as library from 'uWebSockets.js';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamLimits } from '../../../src/gateway/streaming/limits.ts';
import { sharedCompression } from '../../../src/gateway/streaming/websocket.ts';
import { type Ask, askerOf, mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream, type StreamedEvent, type StreamReader, type Transport } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let ask: Ask;
let alice: User;
let bob: User;
let carol: User;

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      MURMURATION_GATEWAYS: '2',
      MURMURATION_OWNERS: '2',
      MURMURATION_PARTITIONS: '4',
      MURMURATION_STREAM_COMPRESSION: 'on',
    },
  });
  ask = askerOf(server);
  [alice, bob, carol] = await Promise.all([
    server.createUser('alice'),
    server.createUser('bob'),
    server.createUser('carol'),
  ]);
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

const ok = async (user: User, method: string, path: string, json: unknown = {}) => {
  const { status, body } = await ask(user, method, path, method === 'GET' ? undefined : json);
  expect([method, path, status]).toEqual([method, path, 200]);
  return body;
};
const post = async (user: User, status: string, more: object = {}) =>
  String((await ok(user, 'POST', '/api/v1/statuses', { status, ...more })).id);
const shown = ({ payload }: StreamedEvent) => payload as Readonly<Record<string, unknown>>;
const isUpdate = (of: object) => (event: StreamedEvent) =>
  event.event === 'status.update' && Object.entries(of).every(([name, value]) => shown(event)[name] === value);
const isNew = (id: string) => (event: StreamedEvent) => event.event === 'update' && shown(event).id === id;
const idsOf = ({ events }: StreamReader) =>
  events.map(({ event, payload }) => [event, event === 'delete' ? payload : (payload as { id: string }).id]);

describe.each<Transport>(['websocket', 'server-sent events'])('over %s', (transport) => {
  const watch = (user: User, channel: string, id: string, more: { since?: string } = {}) =>
    openStream(server, transport, { channel, id, token: user.token, ...more });

  test('a status: its counters, its poll, the own state, edits and the deletion, also after a pause', async () => {
    const id = await post(alice, 'What do you say?', { poll: { options: ['yes', 'no'], expires_in: 3_600 } });
    const [reader, author] = [await watch(bob, 'status', id), await watch(alice, 'status', id)];
    await ok(carol, 'POST', `/api/v1/statuses/${id}/favourite`);
    const first = await reader.next(isUpdate({ favourites_count: 1, favourited: false }));
    await ok(bob, 'POST', `/api/v1/statuses/${id}/bookmark`);
    await reader.next(isUpdate({ bookmarked: true }));
    const { poll } = shown(first) as { poll: { id: string } };
    await ok(bob, 'POST', `/api/v1/polls/${poll.id}/votes`, { choices: [1] });
    const votes = (event: StreamedEvent) =>
      event.event === 'status.update' && (event.payload as { poll: { votes_count: number } }).poll.votes_count === 1;
    await Promise.all([reader.next(votes), author.next(votes)]);
    await reader.next((event) => votes(event) && (event.payload as { poll: { voted: boolean } }).poll.voted);
    await post(carol, 'a reply', { in_reply_to_id: id });
    await reader.next(isUpdate({ replies_count: 1 }));
    await ok(alice, 'PUT', `/api/v1/statuses/${id}`, { status: 'edited' });
    await reader.next(isUpdate({ content: '<p>edited</p>' }));
    const again = await watch(bob, 'status', id, { since: first.id! });
    await again.next(isUpdate({ content: '<p>edited</p>', bookmarked: true }));
    expect(again.events).toHaveLength(1);
    await ok(alice, 'DELETE', `/api/v1/statuses/${id}`);
    for (const one of [reader, author, again]) {
      expect((await one.next(({ event }) => event === 'delete')).payload).toBe(id);
      one.close();
    }
    expect((await ask(bob, 'GET', `/api/v1/streaming/status?id=${id}`)).status).toBe(404);
  });

  test('a reblog is watched as its original', async () => {
    const id = await post(alice, 'to be spread');
    const reblog = await ok(bob, 'POST', `/api/v1/statuses/${id}/reblog`);
    const reader = await watch(carol, 'status', String(reblog.id));
    await ok(carol, 'POST', `/api/v1/statuses/${id}/favourite`);
    await reader.next(isUpdate({ id, favourites_count: 1, reblogs_count: 1 }));
    reader.close();
  });

  test('a thread: replies of anybody to any of its statuses, edits and deletions, and nothing that is hidden', async () => {
    const root = await post(alice, 'the beginning');
    const first = await post(bob, 'first', { in_reply_to_id: root });
    const reader = await watch(carol, 'thread', first);
    const second = await post(alice, 'second', { in_reply_to_id: first });
    await post(bob, 'for alice alone @alice', { in_reply_to_id: second, visibility: 'direct' });
    await post(bob, 'elsewhere');
    const { id: since } = await reader.next(isNew(second));
    await ok(alice, 'PUT', `/api/v1/statuses/${root}`, { status: 'the beginning, edited' });
    await ok(bob, 'DELETE', `/api/v1/statuses/${first}`);
    const third = await post(bob, 'third', { in_reply_to_id: second });
    await reader.next(isNew(third));
    const after = [
      ['status.update', root],
      ['delete', first],
      ['update', third],
    ];
    expect(idsOf(reader)).toEqual([['update', second], ...after]);
    const again = await watch(carol, 'thread', second, { since: since! });
    await until(() => again.events.length === after.length, { description: 'the replay' });
    // Each partition has a log of its own.
    expect(idsOf(again).sort()).toEqual(after.sort());
    for (const one of [reader, again]) one.close();
  });

  test('an account: what is public of it for everybody, what is for followers for them, until a block', async () => {
    await ok(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
    const [follower, stranger] = [await watch(bob, 'account', alice.id), await watch(carol, 'account', alice.id)];
    const secret = await post(alice, 'for followers', { visibility: 'private' });
    await post(alice, '@nobody', { visibility: 'direct' });
    await post(bob, 'of somebody else');
    const open = await post(alice, 'for all', { visibility: 'unlisted' });
    await ok(alice, 'DELETE', `/api/v1/statuses/${secret}`);
    const last = await post(alice, 'the last');
    for (const reader of [follower, stranger]) await reader.next(isNew(last));
    expect(idsOf(follower)).toEqual([
      ['update', secret],
      ['update', open],
      ['delete', secret],
      ['update', last],
    ]);
    expect(idsOf(stranger)).toEqual([
      ['update', open],
      ['update', last],
    ]);
    await ok(alice, 'POST', `/api/v1/accounts/${carol.id}/block`);
    const hidden = await post(alice, 'not for carol');
    await follower.next(isNew(hidden));
    expect(stranger.events).toHaveLength(2);
    await ok(alice, 'POST', `/api/v1/accounts/${carol.id}/unblock`);
    for (const reader of [follower, stranger]) reader.close();
  });
});

test('a viral status is told of to its watchers a few times, and the last time with the last number', async () => {
  const id = await post(alice, 'viral');
  const readers = await Promise.all(
    [bob, carol].map(({ token }) => openStream(server, 'websocket', { channel: 'status', id, token })),
  );
  const rounds = 40;
  for (let round = 0; round < rounds; round += 1)
    await ok(alice, 'POST', `/api/v1/statuses/${id}/${round % 2 === 0 ? 'favourite' : 'unfavourite'}`);
  await ok(alice, 'POST', `/api/v1/statuses/${id}/reblog`);
  for (const reader of readers) {
    await reader.next(isUpdate({ favourites_count: 0, reblogs_count: 1 }));
    expect(reader.events.length).toBeLessThan(rounds / 2);
    reader.close();
  }
});

test('one socket watches no more than its share, and compresses what it is sent', async () => {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/v1/streaming`, alice.token);
  const frames: Record<string, unknown>[] = [];
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data)) as Record<string, unknown>));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  expect(socket.extensions).toContain('permessage-deflate');
  const ids = await Promise.all(Array.from({ length: streamLimits.watchedPerSocketMax + 1 }, () => post(bob, 'one')));
  for (const id of ids) socket.send(JSON.stringify({ type: 'subscribe', stream: 'status', id }));
  socket.send(JSON.stringify({ type: 'subscribe', stream: 'public' }));
  socket.send(JSON.stringify({ type: 'subscribe', stream: 'thread', id: 'nothing' }));
  socket.send(JSON.stringify({ type: 'subscribe', stream: 'account', id: '5' }));
  await until(() => frames.length === 3, { description: 'the refusals' });
  expect(frames).toEqual([
    { error: 'Too many channels on one socket', status: 400 },
    { error: 'Unknown stream type', status: 400 },
    { error: 'Record not found', status: 404 },
  ]);
  await post(bob, 'word '.repeat(90));
  await until(() => frames.length === 4, { description: 'the compressed frame' });
  expect(frames[3]).toMatchObject({ stream: ['public'], event: 'update' });
  socket.close();
});

test('the instance documents announce what is watched, and the numbers of the library are those that are meant', async () => {
  for (const version of ['v1', 'v2'])
    expect((await ask(undefined, 'GET', `/api/${version}/instance`)).body.murmuration!.streaming).toEqual({
      resumes: true,
      watched_channels: ['status', 'thread', 'account'],
      max_channels: streamLimits.channelsPerSocketMax,
      max_watched_channels: streamLimits.watchedPerSocketMax,
      compression: true,
    });
  const { SHARED_COMPRESSOR, SHARED_DECOMPRESSOR } = library as unknown as Record<string, number>;
  expect(sharedCompression).toBe(SHARED_COMPRESSOR! | SHARED_DECOMPRESSOR!);
});
