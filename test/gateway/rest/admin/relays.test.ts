/** The endpoints of the relays that this server joins, and what may be entered. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { relayReceiptsOf } from '../../../../src/federation/inbox/relay-receipts.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token } = await addWithToken(gateway, 'ada', { role: 'admin' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const path = '/api/v1/admin/relays';
const ask = <Answer = Record<string, unknown>>(method: string, at: string, json?: object) =>
  gateway.json<Answer>(at, { method, token, ...(json && { json }) });

test('a relay is joined, listed and left', async () => {
  const inbox = 'https://relay.example/inbox';
  const joined = await ask('POST', path, { inbox_url: inbox });
  const relay = {
    id: expect.stringMatching(/^\d+$/),
    domain: 'relay.example',
    inbox_url: inbox,
    actor_url: null,
    protocol: 'mastodon',
    state: 'pending',
    created_at: expect.any(String),
    state_changed_at: expect.any(String),
    failing: false,
    last_answer_at: null,
    received_count: 0,
    new_count: 0,
    refused_count: 0,
    dropped_count: 0,
    last_received_at: null,
  };
  expect(joined).toEqual({ status: 200, body: relay });
  // Counted by the gateway: the listing tells it.
  const id = BigInt(String(joined.body.id));
  const receipts = relayReceiptsOf(gateway.services);
  for (const outcome of ['applied', 'fetched', 'repeated', 'unproved', 'shed'] as const) receipts.count(id, outcome);
  const counted = { ...relay, received_count: 5, new_count: 2, refused_count: 1, dropped_count: 1 };
  const last_received_at = expect.any(String);
  expect((await ask<object[]>('GET', path)).body).toEqual([{ ...counted, last_received_at }]);
  receipts.count(id, 'unwanted');
  expect((await ask<object[]>('GET', path)).body).toEqual([{ ...counted, received_count: 6, last_received_at }]);
  // Asked again, it is still the same relay.
  expect((await ask('POST', path, { inbox_url: inbox })).body.id).toBe(joined.body.id);
  expect((await ask<object[]>('GET', path)).body).toEqual([{ ...counted, received_count: 6, last_received_at }]);
  expect(await ask('DELETE', `${path}/${String(joined.body.id)}`)).toEqual({ status: 200, body: {} });
  expect((await ask<object[]>('GET', path)).body).toEqual([]);
  expect((await ask('DELETE', `${path}/${String(joined.body.id)}`)).status).toBe(404);
  // What it brought just before is of no relay any more, and joined anew it begins at nothing.
  receipts.count(id, 'applied');
  await receipts.tell();
  expect((await ask('POST', path, { inbox_url: inbox })).body).toEqual({ ...relay, id: expect.any(String) });
  const [again] = (await ask<{ id: string }[]>('GET', path)).body;
  expect(again).toMatchObject({ received_count: 0 });
  await ask('DELETE', `${path}/${again!.id}`);
});

test.each([
  'relay.example',
  'http://relay.example/inbox',
  'https://user:password@relay.example/inbox',
  'ftp://relay.example/inbox',
  '/inbox',
])('%s is no address of a relay', async (address) => {
  expect((await ask('POST', path, { inbox_url: address })).status).toBe(422);
});

test('a server does not join itself, nor one that it has suspended, nor what is no actor', async () => {
  expect((await ask('POST', path, { inbox_url: `${gateway.services.addresses.origin}/inbox` })).status).toBe(422);
  await ask('POST', '/api/v1/admin/domain_blocks', { domain: 'rude.example', severity: 'suspend' });
  expect((await ask('POST', path, { inbox_url: 'https://rude.example/inbox' })).status).toBe(422);
  expect((await ask('POST', path, { inbox_url: 'https://relay.example/actor' })).status).toBe(422);
  expect((await ask<object[]>('GET', path)).body).toEqual([]);
});
