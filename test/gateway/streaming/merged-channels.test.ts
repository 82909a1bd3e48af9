/**
 * Streams that merge the logs of several partitions resume without loss or repetition, whatever the partition of an
 * author.
 */
import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, slotOfId } from '../../../src/runtime/ids.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { idsOf } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream, type StreamedEvent, type StreamReader, type Transport } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import { type User, Users } from '../../support/users.ts';

const partitions = 3;
const placement = evenPlacement(partitions);

let server: RunningServer;
let people: Users;
/** One author in each partition. */
let authors: User[];
let reader: User;
/** Follows the first author and a tag; posts nothing. */
let follower: User;

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      MURMURATION_GATEWAYS: '2',
      MURMURATION_OWNERS: '2',
      MURMURATION_PARTITIONS: String(partitions),
      MURMURATION_HOME_REBUILD_MILLISECONDS: '0',
    },
  });
  people = await Users.of(server);
  reader = await people.add('reader');
  const byPartition = new Map<number, User>();
  for (let number = 0; byPartition.size < partitions; number += 1) {
    const person = await people.add(`author_${number}`);
    byPartition.set(placement.partitionOf(slotOfId(parseId(person.id)!)), person);
  }
  authors = [...byPartition.values()];
  follower = await people.add('follower');
  await people.ask(follower, 'POST', `/api/v1/accounts/${authors[0]!.id}/follow`);
  await people.ask(follower, 'POST', '/api/v1/tags/birds/follow');
  // Each log has begun.
  for (const author of authors) await post(author, 'first words');
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

async function post(author: User, status: string): Promise<string> {
  return String((await people.ask(author, 'POST', '/api/v1/statuses', { status })).body.id);
}

/** One post of each author, in turn. */
async function round(text: string): Promise<string[]> {
  const ids: string[] = [];
  for (const author of authors) ids.push(await post(author, text));
  return ids;
}

const statusOf = ({ payload }: StreamedEvent) => (payload as { id: string }).id;
const statusesIn = ({ events }: StreamReader) => events.filter(({ event }) => event === 'update').map(statusOf);

async function hears(stream: StreamReader, ids: readonly string[]): Promise<void> {
  await until(() => ids.every((id) => statusesIn(stream).includes(id)), { description: `${ids} on the stream` });
}

const channels: readonly [string, string | undefined][] = [
  ['public', undefined],
  ['public:local', undefined],
  ['hashtag', 'Otters'],
];

describe.each<Transport>(['websocket', 'server-sent events'])('over %s', (transport) => {
  const open = ([channel, tag]: (typeof channels)[number], since?: string) =>
    openStream(server, transport, {
      channel,
      token: reader.token,
      ...(tag === undefined ? {} : { tag }),
      ...(since === undefined ? {} : { since }),
    });

  test.each(channels)('%s resumes from any of its events with what came behind it, once', async (channel, tag) => {
    const before = await open([channel, tag]);
    const ids = [...(await round('one #otters')), ...(await round('two #otters'))];
    await hears(before, ids);
    before.close();
    const missed = await round('missed #otters');
    for (const [index, { id }] of before.events.entries()) {
      const after = await open([channel, tag], id!);
      const behind = [...before.events.slice(index + 1).map(statusOf), ...missed];
      const live = await post(authors[index % authors.length]!, 'live #otters');
      missed.push(live);
      await hears(after, [...behind, live]);
      expect(after.events.every(({ event }) => event === 'update')).toBe(true);
      expect(statusesIn(after).toSorted()).toEqual([...behind, live].toSorted());
      after.close();
    }
  });

  test('a home with a followed tag resumes from any of its events: live, by a replay and as a timeline it is the same', async () => {
    const openHome = (since?: string) =>
      openStream(server, transport, { channel: 'user', token: follower.token, ...(since && { since }) });
    const before = await openHome();
    const ids = [...(await round('one #birds')), await post(authors[0]!, 'by the follow'), ...(await round('#Birds'))];
    await hears(before, ids);
    before.close();
    for (const stranger of authors.slice(1)) await post(stranger, 'at no home of theirs');
    const missed = await round('missed #birds');
    for (const [index, { id }] of before.events.entries()) {
      const after = await openHome(id!);
      const live = await post(authors[index % authors.length]!, 'live #birds');
      const behind = [...before.events.slice(index + 1).map(statusOf), ...missed, live];
      missed.push(live);
      await hears(after, behind);
      expect(after.events.every(({ event }) => event === 'update')).toBe(true);
      expect(statusesIn(after).toSorted()).toEqual(behind.toSorted());
      after.close();
    }
    const read = () => people.ask(follower, 'GET', '/api/v1/timelines/home?limit=40');
    await until(async () => (await read()).status === 200, { description: 'the home to be rebuilt' });
    const home = await read();
    expect(
      idsOf(home)
        .filter((id) => id >= ids[0]!)
        .toSorted(),
    ).toEqual([...ids, ...missed].toSorted());
  });

  test('deletions are replayed as well', async () => {
    const before = await open(['public', undefined]);
    const ids = await round('soon gone');
    await hears(before, ids);
    before.close();
    for (const [index, id] of ids.entries()) await people.ask(authors[index]!, 'DELETE', `/api/v1/statuses/${id}`);
    const after = await open(['public', undefined], before.events.at(-1)!.id!);
    await until(() => after.events.length >= ids.length, { description: 'the deletions' });
    expect(after.events.map(({ event }) => event)).toEqual(ids.map(() => 'delete'));
    expect(after.events.map(({ payload }) => payload).toSorted()).toEqual(ids.toSorted());
    after.close();
  });

  test('an id that names one partition only is a gap, not silence', async () => {
    const stream = await open(['public', undefined], '0.1.0');
    await stream.next(({ event }) => event === 'gap');
    const [id] = await round('behind the gap');
    await hears(stream, [id!]);
    stream.close();
  });
});

test('a channel that is subscribed to by a message resumes as well', async () => {
  const before = await openStream(server, 'websocket', { channel: 'public', token: reader.token });
  const ids = await round('seen');
  await hears(before, ids);
  before.close();
  const missed = await round('not seen');
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/v1/streaming`, reader.token);
  const received: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    received.push((JSON.parse((JSON.parse(String(data)) as { payload: string }).payload) as { id: string }).id);
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.send(JSON.stringify({ type: 'subscribe', stream: 'public', since: before.events.at(-1)!.id }));
  await until(() => received.length >= missed.length);
  expect(received.toSorted()).toEqual(missed.toSorted());
  socket.close();
});

test('a home that nobody has read is 206 with an array, until it is rebuilt (specification 3, 4.3, 7)', async () => {
  const newcomer = await people.add('newcomer');
  await people.ask(newcomer, 'POST', `/api/v1/accounts/${authors[0]!.id}/follow`);
  const id = await post(authors[0]!, 'at home');
  const read = () => people.ask(newcomer, 'GET', '/api/v1/timelines/home?limit=1');
  const first = await read();
  expect([first.status, first.body]).toEqual([206, []]);
  await until(async () => (await read()).status === 200, { description: 'the home to be rebuilt' });
  expect(idsOf(await read())).toEqual([id]);
});
