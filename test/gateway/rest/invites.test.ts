/** Invites by the API: made, asked about, used, ended; and what staff see of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import { auditPage } from '../../../src/actors/audit.queries.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import { Instance, type InstanceSettings, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { registerClient } from '../oauth/people.ts';
import { typed } from '../operator/typing.ts';

interface Invite {
  readonly id: string;
  readonly code: string;
  readonly state: string;
  readonly uses: number;
  readonly account?: { readonly username: string } | null;
  readonly error?: string;
}

let gateway: TestGateway;
let app: string;
let ada: string;
let alice: { id: bigint; token: string };
let people = 0;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token: ada } = await addWithToken(gateway, 'ada', { role: 'admin' }));
  alice = await addWithToken(gateway, 'alice');
  const client = await registerClient(gateway);
  const grant = { grant_type: 'client_credentials', scope: 'read write', ...client };
  app = String((await gateway.json('/oauth/token', { form: grant })).body.access_token);
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const path = '/api/murmuration/v1/invites';
const ofStaff = '/api/murmuration/v1/admin/invites';
const ask = <Body = Invite>(method: string, at: string, token?: string, json?: object) =>
  gateway.json<Body>(at, { method, ...(token !== undefined && { token }), ...(json && { json }) });
const make = async (json: object = {}, token = alice.token) => (await ask('POST', path, token, json)).body;
const settings = (changes: InstanceSettings) => gateway.actors.call(Instance.changeSettings.to(instanceKey, changes));
const about = (code: string) => ask('GET', `/api/v1/invites/${code}`);

async function come(code: string) {
  people += 1;
  const name = `guest_${people}`;
  const form = { username: name, email: `${name}@example.org`, password: 'a good password', agreement: 'true' };
  const { status, body } = await gateway.json<{ error?: string }>('/api/v1/accounts', {
    form: { ...form, invite_code: code },
    token: app,
  });
  return { status, error: body.error, id: accountIdOfName(gateway.actors.read, `acct:${name}`) };
}

test('an invite is made, asked about by apps, used, listed and ended', async () => {
  await settings({ registrations: 'closed', invitations: 'free' });
  const made = await make({ max_uses: 2, expires_in: 3_600, autofollow: true, comment: 'For <b>birds</b>' });
  const { now } = gateway.actors.clock;
  expect(made).toEqual({
    ...{ id: expect.any(String), code: expect.stringMatching(/^[A-Za-z2-9]{10}$/), max_uses: 2, uses: 0 },
    ...{ url: `https://social.example/invite/${made.code}`, expires_at: new Date(now() + 3_600_000).toISOString() },
    ...{ autofollow: true, comment: 'For <b>birds</b>', state: 'usable', bypasses_approval: true },
    created_at: new Date(now()).toISOString(),
  });
  expect(await about(made.code)).toEqual({
    status: 200,
    body: { invite_code: made.code, instance_api_url: 'https://social.example/api/v2/instance' },
  });
  const { id } = await come(made.code);
  expect(findLogin(gateway.actors.read, id!)).toMatchObject({ approved: true });
  const [listed] = (await ask<Invite[]>('GET', path, alice.token)).body;
  expect(listed).toMatchObject({ id: made.id, uses: 1, state: 'usable' });
  expect((await ask('DELETE', `${path}/${made.id}`, alice.token)).body).toEqual({});
  expect(await about(made.code)).toEqual({ status: 401, body: { error: 'This invite is not valid' } });
  expect(await come(made.code)).toEqual({ status: 422, error: 'Validation failed: The invite has ended' });
});

test('staff find whom somebody has invited, and each account says it', async () => {
  const guest = await come((await make()).code);
  const by = (version: string) =>
    ask<{ id: string; invited_by_account_id?: string }[]>(
      'GET',
      `/api/${version}/admin/accounts?invited_by=${alice.id}`,
      ada,
    );
  const { body } = await by('v2');
  expect(body.every((one) => one.invited_by_account_id === String(alice.id))).toBe(true);
  expect(body[0]!.id).toBe(String(guest.id));
  expect((await ask<object[]>('GET', '/api/v2/admin/accounts?invited_by=1', ada)).body).toEqual([]);
});

test('what lets nobody in is said, and leaves nothing behind', async () => {
  expect(await come('nonsense')).toEqual({ status: 404, error: 'Record not found' });
  expect((await about('nonsense')).status).toBe(404);
  const brief = await make({ expires_in: 60 });
  const once = await make({ max_uses: 1 });
  expect((await come(once.code)).status).toBe(200);
  gateway.actors.clock.advance(60_000);
  expect((await come(brief.code)).error).toBe('Validation failed: The invite has expired');
  expect((await come(once.code)).error).toBe('Validation failed: The invite has been used as often as it may be');
  expect((await about(once.code)).status).toBe(401);
  const listed = (await ask<Invite[]>('GET', path, alice.token)).body.filter(({ id }) =>
    [brief.id, once.id].includes(id),
  );
  expect(listed.map(({ state, uses }) => [state, uses])).toEqual([
    ['used_up', 1],
    ['expired', 0],
  ]);
});

test.each<[object, string]>([
  [{ max_uses: 0 }, 'Max uses is invalid'],
  [{ max_uses: 'many' }, 'Max uses is not a number'],
  [{ max_uses: {} }, 'Max uses is invalid'],
  [{ expires_in: 59 }, 'Expires in is invalid'],
  [{ expires_in: 400 * 24 * 3_600 }, 'Expires in is invalid'],
  [{ comment: 'x'.repeat(421) }, 'Comment is too long (maximum is 420 characters)'],
  [{ comment: {} }, 'Comment is invalid'],
])('%j makes none', async (json, problem) => {
  const count = async () => (await ask<Invite[]>('GET', `${path}?limit=80`, alice.token)).body.length;
  const before = await count();
  expect(await ask('POST', path, alice.token, json)).toEqual({
    status: 422,
    body: expect.objectContaining({ error: `Validation failed: ${problem}` }),
  });
  expect(await count()).toBe(before);
});

test('nobody ends what is not theirs, and pages lead through all of them', async () => {
  const bob = await addWithToken(gateway, 'bob');
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift((await make({}, bob.token)).id);
  expect((await ask('DELETE', `${path}/${ids[0]}`, alice.token)).status).toBe(404);
  const first = (await ask<Invite[]>('GET', `${path}?limit=3`, bob.token)).body;
  const rest = (await ask<Invite[]>('GET', `${path}?max_id=${first.at(-1)!.id}`, bob.token)).body;
  expect([...first, ...rest].map(({ id }) => id)).toEqual(ids);
  const all = (await ask<Invite[]>('GET', `${ofStaff}?account_id=${bob.id}`, ada)).body;
  expect(all.map(({ id, account }) => [id, account?.username])).toEqual(ids.map((id) => [id, 'bob']));
});

describe('the setting', () => {
  test('decides what everybody may do, at once', async () => {
    const permissions = async () =>
      (await ask<{ role: { permissions: string } }>('GET', '/api/v1/accounts/verify_credentials', alice.token)).body
        .role.permissions;
    const enabled = async () =>
      (await ask<{ invites_enabled: boolean }>('GET', '/api/v1/instance')).body.invites_enabled;
    const found: unknown[] = [];
    for (const invitations of ['staff', 'approval', 'free'] as const) {
      await settings({ invitations });
      found.push([await permissions(), await enabled(), (await ask('POST', path, alice.token)).status]);
    }
    const [invite, bypass] = [0x10000, 0x200000];
    expect(found).toEqual([
      ['0', false, 403],
      [String(invite), true, 200],
      [String(invite + bypass), true, 200],
    ]);
  });

  test('is changed by command', async () => {
    expect((await typed(gateway.services, 'settings invites staff')).printed).toEqual(['Invites: staff']);
    expect((await ask('GET', path, alice.token)).status).toBe(403);
    await typed(gateway.services, 'settings invites free');
    expect((await ask('GET', path, alice.token)).status).toBe(200);
    expect((await typed(gateway.services, 'settings invites some')).code).not.toBe(0);
  });
});

test('the operator invites in the name of the server, lists and ends', async () => {
  const { services } = gateway;
  await settings({ registrations: 'closed', invitations: 'staff' });
  const { printed } = await typed(services, 'invites add --uses 2 --hours 1 --comment "For birds"');
  const code = /\/invite\/(\w+)$/.exec(printed[0]!)![1]!;
  const { id } = await come(code);
  expect(findLogin(gateway.actors.read, id!)).toMatchObject({ approved: true, invitation: { creatorId: undefined } });
  const [first] = (await typed(services, 'invites list --limit 1')).printed;
  expect(first).toMatch(new RegExp(`^\\d+  ${code}  usable  server  1 of 2  until .*Z  For birds$`));
  const number = first!.split('  ')[0]!;
  expect((await typed(services, `invites remove ${number}`)).printed).toEqual([`Ended the invite ${number}.`]);
  expect((await come(code)).error).toContain('has ended');
  expect((await typed(services, 'invites remove x')).complaints.join()).toContain('is not the number of an invite');
  expect((await typed(services, 'invites remove 1')).code).not.toBe(0);
  expect((await typed(services, 'invites add --uses 0')).code).not.toBe(0);
});

test('staff end one, or all, and the audit log says so', async () => {
  await settings({ registrations: 'closed', invitations: 'free' });
  const [one, other] = [await make(), await make()];
  expect((await ask('DELETE', `${ofStaff}/${one.id}`, ada)).body).toMatchObject({ id: one.id, state: 'ended' });
  expect((await about(other.code)).status).toBe(200);
  expect((await ask('DELETE', ofStaff, ada)).body).toEqual({});
  expect((await about(other.code)).status).toBe(401);
  const later = await make();
  expect((await about(later.code)).status).toBe(200);
  await typed(gateway.services, 'invites remove-all');
  expect((await come(later.code)).error).toContain('has ended');
  const log = auditPage(gateway.actors.read, { target: 'invite' }, { limit: 3 }).items;
  expect(log.map(({ action, by, name }) => [action, by, name])).toEqual([
    ['endInvites', 'commandLine', 'all'],
    ['endInvites', 'account', 'all'],
    ['endInvite', 'account', 'alice'],
  ]);
});
