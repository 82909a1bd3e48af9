/**
 * A damaged record that the operator deletes is gone for everybody at once, also where a gateway had read it before it
 * was damaged.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notifications } from '../../src/actors/account/notifications/notifications.state.ts';
import { statuses } from '../../src/actors/account/statuses/statuses.state.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { MemoryStore } from '../support/memory-log.ts';
import { addWithToken } from '../support/sign-up.ts';
import { openStream } from '../support/stream-readers.ts';
import { typed } from './operator/typing.ts';

let gateway: TestGateway;
let alice: { id: bigint; token: string };
let bob: { id: bigint; token: string };

beforeEach(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  alice = await addWithToken(gateway, 'alice');
  bob = await addWithToken(gateway, 'bob');
});

afterEach(() => gateway.close());

const run = (line: string) => typed(gateway.services, line, { running: false, closed: () => undefined });
const shown = async (path: string) => (await gateway.json<unknown>(path, { token: alice.token })).body;

async function post(by: { token: string }, status: string): Promise<string> {
  const { body } = await gateway.json<{ id: string }>('/api/v1/statuses', {
    ...{ method: 'POST', token: by.token, json: { status } },
  });
  gateway.actors.settle();
  return body.id;
}

/** Overwritten, met by somebody, and deleted by command. Returns a function that restores it. */
async function deleteDamaged(key: Uint8Array): Promise<() => void> {
  const partition = gateway.actors.disks.findIndex((disk) => disk.get(key) !== undefined);
  const disk = gateway.actors.disks[partition] as MemoryStore;
  const kept = Uint8Array.from(disk.get(key)!);
  disk.apply({ keys: [key], values: [Uint8Array.of(0xdf, 0xff, 0xff)] });
  // The partition sees it with its next commit.
  for (const { token } of [alice, bob]) await post({ token }, 'something else');
  gateway.services.client.damageMet(partition, key);
  gateway.actors.settle();
  expect((await run(`dead-letters delete-record ${partition}-1`)).code).toBe(0);
  return () => disk.apply({ keys: [key], values: [kept] });
}

test('a status that everybody had cached', async () => {
  const id = await post(bob, 'hello');
  const path = `/api/v1/statuses/${id}`;
  const stream = await openStream(gateway, 'websocket', { channel: 'public', token: alice.token });
  expect(await shown(path)).toMatchObject({ content: '<p>hello</p>' });
  const restore = await deleteDamaged(statuses.encode([BigInt(id)]));
  expect((await gateway.fetch(path)).status).toBe(404);
  // Streams continue, and miss nothing.
  await post(bob, 'afterwards');
  await stream.next(({ payload }) => JSON.stringify(payload).includes('afterwards'));
  expect(stream.events.map(({ event }) => event)).toEqual(['update', 'update', 'update']);
  stream.close();
  restore();
});

test('an entry of a list that is cached until its account counts a change', async () => {
  await post(bob, 'hello @alice');
  const [notification] = (await shown('/api/v1/notifications')) as { id: string }[];
  expect(await shown('/api/v1/notifications')).toHaveLength(1);
  const restore = await deleteDamaged(notifications.encode([alice.id, BigInt(notification!.id)]));
  expect(await shown('/api/v1/notifications')).toEqual([]);
  restore();
});
