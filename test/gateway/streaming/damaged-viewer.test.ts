/** A record of one viewer that cannot be decoded costs this viewer an event or a stream, and nobody else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filters } from '../../../src/actors/account/filters/filters.state.ts';
import { lists } from '../../../src/actors/account/lists/lists.state.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';

const names = ['alice', 'bob', 'carol'] as const;
type Name = (typeof names)[number];

let gateway: TestGateway;
const ids = {} as Record<Name, bigint>;
const tokens = {} as Record<Name, string>;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  for (const name of names) ({ id: ids[name], token: tokens[name] } = await addWithToken(gateway, name));
  for (const name of ['alice', 'carol'] as const) await act(name, 'POST', `/api/v1/accounts/${ids.bob}/follow`);
});

afterAll(async () => {
  await gateway.close();
});

async function act(name: Name, method: string, path: string, json: object = {}): Promise<{ id: string }> {
  const answer = await gateway.json<{ id: string }>(path, { method, json, token: tokens[name] });
  expect(answer.status, `${method} ${path}`).toBe(200);
  gateway.actors.settle();
  return answer.body;
}

/** Overwrites a record with bytes that cannot be decoded. Returns a function that restores it. */
function damage(key: Uint8Array): () => void {
  const disk = gateway.actors.disks.find((candidate) => candidate.get(key) !== undefined) as MemoryStore;
  const kept = Uint8Array.from(disk.get(key)!);
  disk.apply({ keys: [key], values: [Uint8Array.of(0xdf, 0xff, 0xff)] });
  return () => disk.apply({ keys: [key], values: [kept] });
}

const messages = () => gateway.log.map(({ message }) => message);

test('a stream that cannot be judged gets a gap, all others the event', async () => {
  const { id } = await act('carol', 'POST', '/api/v1/lists', { title: 'birds' });
  await act('carol', 'POST', `/api/v1/lists/${id}/accounts`, { account_ids: [String(ids.bob)] });
  const listed = await openStream(gateway, 'websocket', { channel: 'list', list: id, token: tokens.carol });
  const home = await openStream(gateway, 'websocket', { channel: 'user', token: tokens.carol });
  const own = await openStream(gateway, 'websocket', { channel: 'user', token: tokens.alice });
  const restore = damage(lists.encode([BigInt(id)]));
  await act('bob', 'POST', '/api/v1/statuses', { status: 'One' });
  await Promise.all([
    listed.next(({ event }) => event === 'gap'),
    home.next(({ event }) => event === 'update'),
    own.next(({ event }) => event === 'update'),
  ]);
  expect([listed, home, own].map(({ events }) => events.length)).toEqual([1, 1, 1]);
  expect(messages()).toEqual(['a stream misses an event']);
  restore();
  for (const reader of [listed, home, own]) reader.close();
});

test('streams of an account are closed where nobody knows what they must not show', async () => {
  const filter = { title: 'cats', context: ['home'], keywords_attributes: [{ keyword: 'cats' }] };
  const { id } = await act('carol', 'POST', '/api/v2/filters', filter);
  const home = await openStream(gateway, 'websocket', { channel: 'user', token: tokens.carol });
  const own = await openStream(gateway, 'websocket', { channel: 'user', token: tokens.alice });
  const restore = damage(filters.encode([ids.carol, BigInt(id)]));
  await act('carol', 'POST', `/api/v1/accounts/${ids.alice}/mute`);
  await until(() => home.isClosed(), { description: 'the end of the stream' });
  expect(messages().at(-1)).toBe('the streams of an account were closed');
  await act('bob', 'POST', '/api/v1/statuses', { status: 'Two' });
  await own.next(({ event }) => event === 'update');
  restore();
  own.close();
});
