/** Web push and webhooks by a whole server: real connections to others, which answer, hang, and outlive the server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readVapid } from '../support/push-receiver.ts';
import { PushService } from '../support/push-service.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

let server: RunningServer;
let alice: User;
let bob: User;
const [standard, draft] = [new PushService(), new PushService()];
const bot = new WebhookReceiver();
let botAddress: string;
let endpoints: readonly [string, string];
let otherToken: string;

beforeAll(async () => {
  endpoints = [await standard.listen('127.0.0.1'), await draft.listen('127.0.0.2')];
  botAddress = await bot.listen();
  server = await startTestServer();
  [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
  otherToken = (await server.run('tokens', 'create', 'alice', '--scopes', 'push', '--dialect', 'mastodon')).trim();
});

afterAll(async () => {
  await server.stop();
  for (const service of [standard, draft, bot]) service.close();
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

const webhooks = '/api/murmuration/v1/admin/webhooks';
const asOwner = async (method: string, path: string, json?: object) => {
  const answer = await server.fetch(path, { method, token: alice.token, ...(json && { json }) });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

test('a webhook is told once of each event, by requests that are signed with its secret', async () => {
  await server.run('accounts', 'modify', 'alice', '--role', 'owner');
  const events = ['account', 'report', 'status'].flatMap((about) => [`${about}.created`, `${about}.updated`]);
  const added = await asOwner('POST', webhooks, { url: botAddress, events: [...events, 'account.approved'] });
  expect(added.status).toBe(200);
  bot.secret = added.body.secret!;
  const { id } = added.body;
  await asOwner('POST', `${webhooks}/${id}/test`);
  await until(() => bot.received.length === 1, { description: 'the test' });
  expect(bot.received.splice(0)).toMatchObject([{ event: 'webhook.test', object: { id } }]);
  const carol = await server.createUser('carol');
  const arrives = (event: string, id: string) =>
    until(() => bot.received.some((one) => one.event === event && one.object.id === id), { description: event });
  await arrives('account.created', carol.id);
  await server.fetch('/api/v1/accounts/update_credentials', {
    method: 'PATCH',
    token: carol.token,
    json: { display_name: 'Carol' },
  });
  await arrives('account.updated', carol.id);
  const post = (await asOwner('POST', '/api/v1/statuses', { status: 'Hello', visibility: 'private' })).body.id!;
  await arrives('status.created', post);
  await asOwner('PUT', `/api/v1/statuses/${post}`, { status: 'Hello again' });
  await arrives('status.updated', post);
  const report = (await asOwner('POST', '/api/v1/reports', { account_id: carol.id, comment: 'Rude' })).body.id!;
  await arrives('report.created', report);
  await asOwner('POST', `/api/v1/admin/reports/${report}/resolve`);
  await arrives('report.updated', report);
  expect(bot.refused).toEqual([]);
  const told = bot.received.map(({ event, object }) => [event, object.id]);
  expect(told.sort()).toEqual(
    [
      ['account.created', carol.id],
      ['account.approved', carol.id],
      ['account.updated', carol.id],
      ['status.created', post],
      ['status.updated', post],
      ['report.created', report],
      ['report.updated', report],
    ].sort(),
  );
  const objectOf = (event: string) => bot.received.find((one) => one.event === event)!.object;
  const shown = await server.fetch(`/api/v1/admin/accounts/${carol.id}`, { token: alice.token });
  // Addresses are noted besides, a moment later.
  const withoutAddresses = ({ ip: _ip, ips: _ips, ...account }: Record<string, unknown>) => account;
  const asStaff = (await shown.json()) as Record<string, unknown>;
  expect(withoutAddresses(objectOf('account.updated'))).toEqual(withoutAddresses(asStaff));
  expect(objectOf('report.created')).toMatchObject({
    comment: 'Rude',
    action_taken: false,
    target_account: { username: 'carol', account: { display_name: 'Carol' } },
  });
  expect(objectOf('report.updated')).toMatchObject({ action_taken: true });
  expect(objectOf('status.updated')).toMatchObject({ content: '<p>Hello again</p>', account: { username: 'alice' } });
  await until(async () => /^Webhooks: 0 pending, .*lanes healthy 1/m.test(await server.run('status')), {
    description: 'the status to show a lane',
  });
  const kept = (await asOwner('GET', `${webhooks}/${added.body.id}`)).body;
  expect(kept).toMatchObject({ last_accepted_at: expect.any(String), last_failure: null });
});

test('a push service that hangs delays no other; a server that is killed meanwhile sends again what was not answered', async () => {
  standard.status = undefined;
  await mention('second');
  await arrived(standard, 'second');
  await arrived(draft, 'second');
  await mention('third');
  await arrived(draft, 'third');
  bot.status = undefined;
  const post = (await asOwner('POST', '/api/v1/statuses', { status: 'Hello' })).body.id;
  const told = () => bot.received.filter(({ object }) => object.id === post).length;
  await until(() => told() === 1, { description: 'the webhook to be told' });
  await server.kill();
  standard.status = 201;
  bot.status = 200;
  const before = standard.received.length;
  const { dataDirectory, port } = server;
  server = await startTestServer({
    dataDirectory,
    port,
    environment: {
      MURMURATION_FEDERATION_ALLOW_PRIVATE: 'off',
      MURMURATION_PUSH_PRIVATE_HOSTS: '127.0.0.1',
      MURMURATION_WEBHOOK_PRIVATE_HOSTS: new URL(botAddress).host,
    },
  });
  await until(() => standard.received.length >= before + 2, { description: 'both messages again' });
  const again = standard.payloads.slice(before).map((payload) => JSON.parse(payload).body);
  expect([...again].sort()).toEqual(['@alice second', '@alice third']);
  await until(() => told() === 2, { description: 'the webhook to be told again' });
});

test('private addresses are asked for hosts only that the operator has named', async () => {
  const before = draft.received.length;
  await mention('fourth');
  await arrived(standard, 'fourth');
  const line = new RegExp(`^${new URL(endpoints[1]).host} .*failing since`, 'm');
  await until(async () => line.test(await server.run('deliveries', 'list')), { description: 'the failed attempt' });
  expect(draft.received).toHaveLength(before);
  for (const url of ['http://127.0.0.1:8080/', 'https://127.0.0.1/', 'https://[::1]/'])
    expect((await asOwner('POST', webhooks, { url, events: ['status.created'] })).status).toBe(422);
});
