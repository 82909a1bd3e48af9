/** Streams of an account that has moved stay open to it (behaviour of the Mastodon API), unlike the rest. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';

let gateway: TestGateway;

beforeAll(() => {
  gateway = startTestGateway({ endpoints, streams: true });
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

test.each<[Transport, string]>([
  ['websocket', 'alice'],
  ['server-sent events', 'carol'],
])('over %s, before and after', async (transport, name) => {
  const mover = await addWithToken(gateway, name);
  const writer = await addWithToken(gateway, `${name}_writer`);
  const asked = { channel: 'user', token: mover.token };
  const before = await openStream(gateway, transport, asked);
  await gateway.actors.call(Account.move.to(mover.id, { targetId: writer.id }));
  const after = await openStream(gateway, transport, asked);
  const json = { status: `@${name} Where have you gone?` };
  expect((await gateway.json('/api/v1/statuses', { token: writer.token, json })).status).toBe(200);
  for (const stream of [before, after]) {
    await stream.next(({ event }) => event === 'notification');
    stream.close();
  }
  const { status, body } = await gateway.json('/api/v1/notifications', { token: mover.token });
  expect([status, body]).toEqual([403, { error: 'Your login is currently disabled' }]);
});
