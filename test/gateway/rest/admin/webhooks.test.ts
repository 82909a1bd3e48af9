/** Webhooks kept by API, page and command line: who may choose what, and what is refused. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { auditPage } from '../../../../src/actors/audit.queries.ts';
import { instanceLimits } from '../../../../src/actors/instance/limits.ts';
import { allWebhooks } from '../../../../src/actors/instance/webhooks/webhooks.queries.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';
import { typed } from '../../operator/typing.ts';

let gateway: TestGateway;
let admin: string;
let owner: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token: admin } = await addWithToken(gateway, 'ada', { role: 'admin' }));
  ({ token: owner } = await addWithToken(gateway, 'olga', { role: 'owner' }));
});

afterEach(async () => {
  for (const { id } of stored()) expect((await ask('DELETE', `/${id}`, { token: owner })).status).toBe(200);
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const stored = () => allWebhooks(gateway.actors.read);
const ask = <Body = Record<string, unknown>>(
  method: string,
  path = '',
  { token = admin, ...json }: Record<string, unknown> & { token?: string } = {},
) =>
  gateway.json<Body>(`/api/murmuration/v1/admin/webhooks${path}`, {
    method,
    token,
    ...(method !== 'GET' && { json }),
  });
const content = { url: 'https://bot.example/hook', events: ['report.created', 'account.created'] };

test('a webhook is added, shown, changed, disabled, given another secret, and removed', async () => {
  const { status, body: added } = await ask('POST', '', content);
  expect([status, added]).toEqual([
    200,
    {
      id: expect.any(String),
      url: content.url,
      events: ['account.created', 'report.created'],
      template: '',
      enabled: true,
      secret: expect.stringMatching(/^[0-9a-f]{40}$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      last_accepted_at: null,
      last_failure: null,
    },
  ]);
  const one = `/${added.id}`;
  expect((await ask('GET', one)).body).toEqual(added);
  const changed = (await ask('PATCH', one, { template: ' {"text":"{{event}}"} ' })).body;
  expect(changed).toEqual({ ...added, template: '{"text":"{{event}}"}', updated_at: changed.updated_at });
  expect((await ask('POST', `${one}/disable`)).body.enabled).toBe(false);
  expect((await ask('POST', `${one}/enable`)).body.enabled).toBe(true);
  const { secret } = (await ask('POST', `${one}/rotate_secret`)).body;
  expect(secret).toMatch(/^[0-9a-f]{40}$/);
  expect(secret).not.toBe(added.secret);
  expect((await ask('POST', `${one}/test`)).body.id).toBe(added.id);
  await ask('POST', `${one}/disable`);
  expect(await ask('POST', `${one}/test`)).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: The webhook is disabled: enable it first' },
  });
  expect((await ask('DELETE', one)).status).toBe(200);
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/enable'],
    ['POST', '/disable'],
    ['POST', '/rotate_secret'],
    ['POST', '/test'],
  ])
    expect((await ask(method!, `${one}${path}`)).status).toBe(404);
  const log = auditPage(gateway.actors.read, { target: 'webhook' }, { limit: 10 }).items;
  expect(log.map(({ action }) => action)).toEqual([
    ...[
      'removeWebhook',
      'disableWebhook',
      'testWebhook',
      'rotateWebhookSecret',
      'enableWebhook',
      'disableWebhook',
      'changeWebhook',
      'addWebhook',
    ],
  ]);
  // Addresses and secrets of webhooks let anybody use them.
  const text = JSON.stringify(log, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  expect(text).toContain('bot.example');
  for (const hidden of ['/hook', String(secret), String(added.secret)]) expect(text).not.toContain(hidden);
});

test.each([
  [{ url: '' }, "Url can't be blank"],
  [{ url: 'bot.example' }, 'Url is invalid: not a URL'],
  [{ url: 'http://bot.example/' }, 'Url is invalid: scheme not allowed'],
  [{ url: 'https://bot/' }, 'Url is invalid: the host has no domain'],
  [{ url: 'https://a:b@bot.example/' }, 'Url is invalid: the URL holds credentials'],
  [{ url: 'https://10.0.0.1/' }, 'Url is invalid: not a public address'],
  [{ url: 'https://[fd00::1]/' }, 'Url is invalid: not a public address'],
  [{ url: 'https://169.254.169.254/' }, 'Url is invalid: not a public address'],
  [{ url: `https://bot.example/${'x'.repeat(2_048)}` }, 'Url is invalid: the URL is too long'],
  [{ events: [] }, "Events can't be blank"],
  [{ events: ['account.created', 'account.deleted'] }, 'Events is invalid'],
  [{ events: ['status.created'] }, 'Events include some that need a permission which you do not have'],
  [{ template: '{{' }, 'Template is invalid'],
  [{ template: 'x'.repeat(10_001) }, 'Template is too long (maximum is 10000 characters)'],
])('%j is refused, and changes nothing', async (given, sentence) => {
  const { id } = (await ask('POST', '', content)).body;
  const before = stored();
  const refused = [await ask('POST', '', { ...content, ...given })];
  // What is not given stays.
  if (!('url' in given) || given.url !== '') refused.push(await ask('PUT', `/${id}`, given));
  for (const { status, body } of refused) expect([status, body.error]).toEqual([422, `Validation failed: ${sentence}`]);
  expect(stored()).toEqual(before);
});

test('one with events that need other permissions is shown, and disabled, but not changed, enabled or removed', async () => {
  const { id } = (await ask('POST', '', { ...content, events: ['status.created'], token: owner })).body;
  expect((await ask('GET', `/${id}`)).status).toBe(200);
  expect((await ask('POST', `/${id}/disable`)).status).toBe(200);
  const before = stored();
  for (const [method, path, given] of [
    ['PUT', '', { url: 'https://own.example/' }],
    ['PUT', '', { events: ['account.created'] }],
    ['DELETE', '', {}],
    ['POST', '/enable', {}],
    ['POST', '/rotate_secret', {}],
  ] as const)
    expect((await ask(method, `/${id}${path}`, given)).status).toBe(403);
  expect(stored()).toEqual(before);
});

test('there are so many at most', async () => {
  for (let count = 0; count < instanceLimits.webhooksMax; count += 1)
    expect((await ask('POST', '', content)).status).toBe(200);
  expect((await ask('POST', '', content)).status).toBe(422);
  expect(stored()).toHaveLength(instanceLimits.webhooksMax);
});

test('are kept by command', async () => {
  const { services } = gateway;
  const added = await typed(services, 'webhooks add https://bot.example/hook --events "status.created report.created"');
  const [{ id, secret }] = stored() as [ReturnType<typeof stored>[number]];
  const line = (more: string) => `${id}  ${more}`;
  const enabled = line('enabled  https://bot.example/hook  report.created status.created');
  expect(added).toMatchObject({ code: 0, printed: [enabled, `Secret: ${secret}`] });
  expect((await typed(services, `webhooks disable ${id}`)).printed).toEqual([enabled.replace('enabled', 'disabled')]);
  await typed(services, `webhooks enable ${id}`);
  expect((await typed(services, 'webhooks list')).printed).toEqual([enabled]);
  await typed(services, `webhooks modify ${id} --events account.updated --template "{{event}}"`);
  expect(stored()).toMatchObject([{ events: ['account.updated'], template: '{{event}}' }]);
  expect((await typed(services, `webhooks test ${id}`)).printed).toEqual([`The webhook ${id} is told of a test.`]);
  const { printed } = await typed(services, `webhooks rotate-secret ${id}`);
  expect(printed).toEqual([`Secret: ${stored()[0]!.secret}`]);
  expect(await typed(services, `webhooks modify ${id} --events nothing`)).toMatchObject({ code: 1 });
  expect(await typed(services, 'webhooks remove x')).not.toMatchObject({ code: 0 });
  expect((await typed(services, `webhooks remove ${id}`)).printed).toEqual([`Removed the webhook ${id}.`]);
  expect((await typed(services, 'webhooks list')).printed).toEqual(['There are none.']);
});
