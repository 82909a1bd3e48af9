/** A record of one viewer that cannot be decoded costs this viewer an event, and nobody else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('an event that one of its streams cannot be judged for reaches the others', async () => {
  const { id } = await act('carol', 'POST', '/api/v1/lists', { title: 'birds' });
  await act('carol', 'POST', `/api/v1/lists/${id}/accounts`, { account_ids: [String(ids.bob)] });
  const key = lists.encode([BigInt(id)]);
  const disk = gateway.actors.disks.find((candidate) => candidate.get(key) !== undefined) as MemoryStore;
  const kept = Uint8Array.from(disk.get(key)!);
  const ended = new AbortController();
  const authorization = `Bearer ${tokens.carol}`;
  const listed = await fetch(`${gateway.origin}/api/v1/streaming/list?list=${id}`, {
    headers: { authorization },
    signal: ended.signal,
  });
  expect(listed.status).toBe(200);
  const own = await openStream(gateway, 'websocket', { channel: 'user', token: tokens.alice });
  disk.apply({ keys: [key], values: [Uint8Array.of(0xdf, 0xff, 0xff)] });
  await act('bob', 'POST', '/api/v1/statuses', { status: 'One' });
  await until(() => own.events.some(({ event }) => event === 'update'), { description: 'the status' });
  expect(gateway.log.map(({ message }) => message)).toEqual(['a stream misses an event']);
  disk.apply({ keys: [key], values: [kept] });
  own.close();
  ended.abort();
});
