/** Edits of statuses that an account knows from its notifications alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, askerOf, mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream } from '../../support/stream-readers.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let ask: Ask;
let bob: User;
let erin: User;

beforeAll(async () => {
  server = await startTestServer({ environment: { MURMURATION_OWNERS: '2', MURMURATION_PARTITIONS: '4' } });
  ask = askerOf(server);
  [bob, erin] = await Promise.all([server.createUser('bob'), server.createUser('erin')]);
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

async function post(by: User, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await ask(by, 'POST', '/api/v1/statuses', { status, ...more });
  expect(code).toBe(200);
  return String(body.id);
}

async function edit(id: string, status: string): Promise<void> {
  expect((await ask(bob, 'PUT', `/api/v1/statuses/${id}`, { status })).status).toBe(200);
}

test('an edit is told once, whatever the visibility of the status', async () => {
  const reader = await openStream(server, 'websocket', { channel: 'user', token: erin.token });
  const heardOf = async (id: string, words: string) => {
    const { payload } = await reader.next(
      (frame) => frame.event === 'status.update' && (frame.payload as { id: string }).id === id,
    );
    expect(payload).toMatchObject({ content: expect.stringContaining(words) });
  };
  const edited: string[] = [];
  for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
    const id = await post(bob, '@erin before', { visibility });
    await edit(id, '@erin after');
    await heardOf(id, 'after');
    edited.push(id);
  }
  const dropped = await post(bob, '@erin again');
  await edit(dropped, 'for nobody');
  await heardOf(dropped, 'for nobody');
  const quoting = await post(bob, 'her words', { quoted_status_id: await post(erin, 'quote me') });
  await edit(quoting, 'her very words');
  await heardOf(quoting, 'her very words');
  const edits = reader.events.filter(({ event }) => event === 'status.update');
  expect(edits.map(({ payload }) => (payload as { id: string }).id)).toEqual([...edited, dropped, quoting]);
  reader.close();
});
