/** Who may sign up or come at all, by the endpoints of staff: what each block does to somebody who comes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import {
  AdminCanonicalEmailBlockEntity,
  AdminEmailDomainBlockEntity,
  AdminIpBlockEntity,
  AdminUsernameBlockEntity,
} from '../../../../src/gateway/entities/admin/access.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';
import { openStream } from '../../../support/stream-readers.ts';

type Body = Record<string, unknown> & { id: string };

let gateway: TestGateway;
let token: string;
let application: string;
let count = 0;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  ({ token } = await addWithToken(gateway, 'ada', { role: 'admin' }));
  await gateway.actors.call(Instance.changeSettings.to(instanceKey, { registrations: 'open' }));
  const wish = { client_name: 'An app', redirect_uris: 'https://app.example/', scopes: 'read write' };
  const { body: client } = await gateway.json('/api/v1/apps', { json: wish });
  const grant = { grant_type: 'client_credentials', scope: 'read write' };
  const { client_id, client_secret } = client;
  const { body } = await gateway.json('/oauth/token', { json: { ...grant, client_id, client_secret } });
  application = String(body.access_token);
});

beforeEach(() => {
  count += 1;
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const ask = <Answer = Body>(method: string, path: string, json?: object) =>
  gateway.json<Answer>(path, { method, token, ...(json && { json }) });

async function signUp(given: { username?: string; email?: string } = {}) {
  const { username = `visitor_${count}`, email = `${username}@mail.example` } = given;
  const json = { username, email, password: 'long enough', agreement: true };
  const { status, body } = await gateway.json('/api/v1/accounts', { token: application, json });
  if (status !== 200) return { status, body };
  const own = await gateway.json('/api/v1/accounts/verify_credentials', { token: String(body.access_token) });
  return { status: own.status, body: own.body };
}

const pending = { status: 403, body: { error: 'Your login is currently pending approval' } };
const refusal = (field: string, error: string, description: string) => ({
  status: 422,
  body: expect.objectContaining({ details: { [field]: [{ error, description }] } }),
});

test('an e-mail domain is blocked with those below it, and its attempts are counted', async () => {
  const made = await ask('POST', '/api/v1/admin/email_domain_blocks', { domain: 'Spam.example' });
  expect([made.status, problemsOf(AdminEmailDomainBlockEntity, made.body)]).toEqual([200, '']);
  const blocked = refusal('email', 'ERR_BLOCKED', 'contains a disallowed e-mail provider');
  expect(await signUp({ email: 'eve@spam.example' })).toEqual(blocked);
  expect(await signUp({ email: 'eve@a.SPAM.example' })).toEqual(blocked);
  expect((await signUp({ email: 'eve@notspam.example' })).status).toBe(200);
  const path = `/api/v1/admin/email_domain_blocks/${made.body.id}`;
  const history = ((await ask('GET', path)).body.history as object[])[0];
  expect(history).toMatchObject({ uses: '2', accounts: '1' });
  const again = await ask('POST', '/api/v1/admin/email_domain_blocks', { domain: 'spam.example' });
  expect([again.status, again.body.error]).toEqual([422, 'Validation failed: Domain has already been taken']);
  expect(await ask('DELETE', path)).toEqual({ status: 200, body: {} });
  expect((await signUp({ username: 'eve', email: 'eve@spam.example' })).status).toBe(200);
  expect((await ask('GET', path)).status).toBe(404);
});

test('an e-mail domain may be allowed with approval', async () => {
  await ask('POST', '/api/v1/admin/email_domain_blocks', { domain: 'odd.example', allow_with_approval: true });
  expect(await signUp({ email: 'olaf@odd.example' })).toEqual(pending);
});

test('an e-mail address is blocked in every spelling, and only its digest is shown', async () => {
  const made = await ask('POST', '/api/v1/admin/canonical_email_blocks', { email: 'Mallory.M@mail.example' });
  expect(problemsOf(AdminCanonicalEmailBlockEntity, made.body)).toBe('');
  expect(Object.keys(made.body)).toEqual(['id', 'canonical_email_hash']);
  const taken = refusal('email', 'ERR_TAKEN', 'has already been taken');
  expect(await signUp({ email: 'm.alloryM+1@mail.example' })).toEqual(taken);
  const tested = (email: string) => ask<Body[]>('POST', '/api/v1/admin/canonical_email_blocks/test', { email });
  expect((await tested('mallorym@MAIL.example')).body).toEqual([made.body]);
  expect((await tested('mallory@mail.example')).body).toEqual([]);
  const hash = { canonical_email_hash: made.body.canonical_email_hash };
  expect((await ask('POST', '/api/v1/admin/canonical_email_blocks', hash)).status).toBe(422);
  await ask('DELETE', `/api/v1/admin/canonical_email_blocks/${made.body.id}`);
  expect((await ask('POST', '/api/v1/admin/canonical_email_blocks', hash)).body).toMatchObject(hash);
});

test('names are blocked where they are contained, or exactly', async () => {
  const path = '/api/murmuration/v1/admin/username_blocks';
  const made = await ask('POST', path, { username: 'Bank' });
  expect([made.status, problemsOf(AdminUsernameBlockEntity, made.body)]).toEqual([200, '']);
  expect(made.body).toMatchObject({ username: 'bank', exact: false, allow_with_approval: false });
  expect((await ask<Body[]>('GET', path)).body).toEqual([made.body]);
  expect((await ask('GET', `${path}/${made.body.id}`)).body).toEqual(made.body);
  expect(await signUp({ username: 'My_B4nk' })).toEqual(refusal('username', 'ERR_RESERVED', 'is reserved'));
  const again = await ask('POST', path, { username: 'BANK' });
  expect([again.status, again.body.error]).toEqual([422, 'Validation failed: Username has already been taken']);
  expect((await ask('POST', path, { username: 'no name' })).status).toBe(422);
  expect(await ask('DELETE', `${path}/${made.body.id}`)).toEqual({ status: 200, body: {} });
  expect((await ask('DELETE', `${path}/${made.body.id}`)).status).toBe(404);
  await ask('POST', path, { username: 'mybank', exact: true, allow_with_approval: true });
  expect((await signUp({ username: 'my_bank' })).status).toBe(200);
  expect(await signUp({ username: 'mybank' })).toEqual(pending);
});

describe('an IP address', () => {
  /** Blocks loopback for a moment, as the operator would: staff may have barred themselves. */
  async function during<Result>(severity: string, act: () => Promise<Result>): Promise<Result> {
    const made = await ask('POST', '/api/v1/admin/ip_blocks', { ip: '127.0.0.1/8', severity, expires_in: 60 });
    expect([made.status, problemsOf(AdminIpBlockEntity, made.body)]).toEqual([200, '']);
    const result = await act();
    gateway.actors.clock.advance(60_000);
    return result;
  }

  test('signs nobody up', async () => {
    const forbidden = { status: 403, body: { error: 'This action is not allowed' } };
    expect(await during('sign_up_block', signUp)).toEqual(forbidden);
    expect((await signUp()).status).toBe(200);
  });

  test('signs up with approval', async () => {
    expect(await during('sign_up_requires_approval', signUp)).toEqual(pending);
  });

  test('is served nothing at all, until the block ends', async () => {
    const paths = ['/api/v2/instance', '/nothing', '/oauth/token', '/api/v1/timelines/home'];
    const statuses = () => Promise.all(paths.map(async (path) => (await gateway.fetch(path, { token })).status));
    await during('no_access', async () => {
      expect(await statuses()).toEqual([403, 403, 403, 403]);
      expect((await gateway.fetch('/api/v1/statuses', { token, json: { status: 'x'.repeat(1_000) } })).status).toBe(
        403,
      );
      await expect(openStream(gateway, 'websocket', { channel: 'user', token })).rejects.toThrow();
    });
    expect(await statuses()).toEqual([200, 404, 405, 200]);
  });

  test('is changed and unblocked', async () => {
    const { body } = await ask('POST', '/api/v1/admin/ip_blocks', {
      ip: '2001:DB8::/32',
      severity: 'sign_up_block',
      comment: 'Spam',
    });
    expect(body).toMatchObject({ ip: '2001:db8::/32', comment: 'Spam', expires_at: null });
    const path = `/api/v1/admin/ip_blocks/${body.id}`;
    const changed = await ask('PUT', path, { severity: 'no_access', expires_in: 60 });
    const expires = new Date(gateway.actors.clock.now() + 60_000).toISOString();
    expect(changed.body).toEqual({ ...body, severity: 'no_access', expires_at: expires });
    expect((await ask('PATCH', path, { expires_in: 0, ip: '192.0.2.1' })).body).toMatchObject({
      ip: '192.0.2.1/32',
      expires_at: null,
    });
    expect(await ask('DELETE', path)).toEqual({ status: 200, body: {} });
    expect((await ask('PUT', path, {})).status).toBe(404);
  });
});

test.each([
  ["Ip can't be blank", 'ip_blocks', { severity: 'no_access' }],
  ["Severity can't be blank", 'ip_blocks', { ip: '192.0.2.1' }],
  ['Ip is invalid', 'ip_blocks', { ip: '192.0.2.1/33', severity: 'no_access' }],
  ['Severity is not included in the list', 'ip_blocks', { ip: '192.0.2.1', severity: 'ban' }],
  ["Domain can't be blank", 'email_domain_blocks', {}],
  ['Domain is not a valid domain name', 'email_domain_blocks', { domain: 'a b' }],
  ["Canonical email hash can't be blank", 'canonical_email_blocks', {}],
  ['Canonical email hash is invalid', 'canonical_email_blocks', { canonical_email_hash: 'abc' }],
  ["Email can't be blank", 'canonical_email_blocks/test', {}],
])('%s', async (error, path, json) => {
  expect(await ask('POST', `/api/v1/admin/${path}`, json)).toEqual({
    status: 422,
    body: { error: `Validation failed: ${error}` },
  });
});
