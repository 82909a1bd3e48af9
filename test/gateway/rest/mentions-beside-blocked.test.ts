/** A mention beside somebody who is blocked: no list, count, conversation or stream of the mentioned account has it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';

type User = Awaited<ReturnType<typeof addWithToken>>;

let gateway: TestGateway;
let alice: User;
let bob: User;
let mallory: User;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  [alice, bob, mallory] = [
    await addWithToken(gateway, 'alice'),
    await addWithToken(gateway, 'bob'),
    await addWithToken(gateway, 'mallory'),
  ];
  await ask(alice, `v1/accounts/${mallory.id}/block`, {});
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function ask<Body>({ token }: User, path: string, json?: object): Promise<Body> {
  gateway.actors.settle();
  const { status, body } = await gateway.json(`/api/${path}`, { token, ...(json && { method: 'POST', json }) });
  expect(status).toBe(200);
  return body as Body;
}

const post = (status: string, visibility: string) =>
  ask<{ id: string }>(bob, 'v1/statuses', { status, visibility }).then(({ id }) => id);

test.each<[Transport, string]>([
  ['websocket', 'public'],
  ['server-sent events', 'direct'],
])('over %s, when it is %s', async (transport, visibility) => {
  const stream = await openStream(gateway, transport, { channel: 'user:notification', token: alice.token });
  await post('@alice and @mallory', visibility);
  const heard = await post('@alice alone', visibility);
  await stream.next(({ event }) => event === 'notification');
  expect(stream.events).toMatchObject([{ event: 'notification', payload: { status: { id: heard } } }]);
  stream.close();
  expect(await ask(alice, 'v1/notifications')).toMatchObject([{ type: 'mention', status: { id: heard } }]);
  const { notification_groups: groups } = await ask<{ notification_groups: object[] }>(alice, 'v2/notifications');
  expect(groups).toMatchObject([{ type: 'mention', status_id: heard, notifications_count: 1 }]);
  expect(await ask(alice, 'v2/notifications/unread_count')).toEqual({ count: 1 });
  const conversations = await ask<{ last_status: { id: string } }[]>(alice, 'v1/conversations');
  expect(conversations.map((one) => one.last_status.id)).toEqual(visibility === 'direct' ? [heard] : []);
  await ask(alice, 'v1/notifications/clear', {});
});
