/** Web push by a whole server: real connections to push services, which answer, hang, and outlive the server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readVapid } from '../support/push-receiver.ts';
import { PushService } from '../support/push-service.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

let server: RunningServer;
let alice: User;
let bob: User;
const [standard, draft] = [new PushService(), new PushService()];
let endpoints: readonly [string, string];
let otherToken: string;

beforeAll(async () => {
  endpoints = [await standard.listen('127.0.0.1'), await draft.listen('127.0.0.2')];
  server = await startTestServer();
  [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
  otherToken = (await server.run('tokens', 'create', 'alice', '--scopes', 'push', '--dialect', 'mastodon')).trim();
});

afterAll(async () => {
  await server.stop();
  for (const service of [standard, draft]) service.close();
});

async function mention(text: string): Promise<void> {
  const status = `@alice ${text}`;
  const answer = await server.fetch('/api/v1/statuses', { method: 'POST', token: bob.token, json: { status } });
  expect(answer.status).toBe(200);
}

const arrived = (service: PushService, text: string) =>
  until(() => service.payloads.some((payload) => payload.includes(text)), { description: `the message ${text}` });

test('specification 4.8: both forms arrive, signed with the key that the server shows, with the tokens as issued', async () => {
  const alerts = { mention: true };
  const wish = (service: PushService, endpoint: string, more: object) => ({
    subscription: { endpoint, keys: service.app.keys, ...more },
    data: { alerts },
  });
  const path = '/api/v1/push/subscription';
  const first = await server.fetch(path, {
    method: 'POST',
    token: alice.token,
    json: wish(standard, endpoints[0], { standard: true }),
  });
  expect(first.status).toBe(200);
  // The token in the body, which some apps do.
  const second = await server.fetch(path, {
    method: 'POST',
    json: { access_token: otherToken, ...wish(draft, endpoints[1], {}) },
  });
  expect(second.status).toBe(200);
  await mention('first');
  for (const [service, token, endpoint, encoding] of [
    [standard, alice.token, endpoints[0], 'aes128gcm'],
    [draft, otherToken, endpoints[1], 'aesgcm'],
  ] as const) {
    await arrived(service, 'first');
    const [message] = service.received;
    const [text] = service.payloads;
    const listed = await server.fetch('/api/v1/notifications', { token: alice.token });
    const [{ id }] = (await listed.json()) as [{ id: string }];
    expect(text).toContain(`{"access_token":"${token}","preferred_locale":"en","notification_id":${id},`);
    expect(JSON.parse(text!)).toMatchObject({
      notification_type: 'mention',
      title: 'bob mentioned you',
      body: '@alice first',
      icon: expect.stringContaining(`${server.origin}/avatars/`),
    });
    expect(message!.headers).toMatchObject({ 'content-encoding': encoding, ttl: '172800', urgency: 'normal' });
    const { claims, publicKey } = readVapid(message!);
    expect(claims).toMatchObject({ aud: new URL(endpoint).origin });
    const instance = await server.fetch('/api/v2/instance');
    const { configuration } = (await instance.json()) as { configuration: { vapid: { public_key: string } } };
    expect(publicKey).toBe(configuration.vapid.public_key);
  }
  await until(async () => /^Push: 0 pending, .*lanes healthy 2/m.test(await server.run('status')), {
    description: 'the status to show two lanes',
  });
});

test('a push service that hangs delays no other; a server that is killed meanwhile sends again what was not answered', async () => {
  standard.status = undefined;
  await mention('second');
  await arrived(standard, 'second');
  await arrived(draft, 'second');
  await mention('third');
  await arrived(draft, 'third');
  await server.kill();
  standard.status = 201;
  const before = standard.received.length;
  const { dataDirectory, port } = server;
  server = await startTestServer({
    dataDirectory,
    port,
    environment: {
      MURMURATION_FEDERATION_ALLOW_PRIVATE: 'off',
      MURMURATION_PUSH_PRIVATE_HOSTS: '127.0.0.1',
    },
  });
  await until(() => standard.received.length >= before + 2, { description: 'both messages again' });
  const again = standard.payloads.slice(before).map((payload) => JSON.parse(payload).body);
  expect([...again].sort()).toEqual(['@alice second', '@alice third']);
});

test('private addresses are asked for hosts only that the operator has named', async () => {
  const before = draft.received.length;
  await mention('fourth');
  await arrived(standard, 'fourth');
  const line = new RegExp(`^${new URL(endpoints[1]).host} .*failing since`, 'm');
  await until(async () => line.test(await server.run('deliveries', 'list')), { description: 'the failed attempt' });
  expect(draft.received).toHaveLength(before);
});
