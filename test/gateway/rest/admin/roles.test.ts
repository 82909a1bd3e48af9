/** Roles that staff add: made, given, changed and removed by API and command line, with effects at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffNotifiedOf } from '../../../../src/actors/account/profile/staff.queries.ts';
import { auditPage } from '../../../../src/actors/audit.queries.ts';
import { allRoles } from '../../../../src/actors/roles.queries.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';
import { typed } from '../../operator/typing.ts';

interface Role {
  readonly id: string;
  readonly name: string;
  readonly permission_names: readonly string[];
}

let gateway: TestGateway;
let owner: string;
let admin: string;
let people = 0;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token: owner } = await addWithToken(gateway, 'olga', { role: 'owner' }));
  ({ token: admin } = await addWithToken(gateway, 'ada', { role: 'admin' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const path = '/api/murmuration/v1/admin';
const ask = <Body = Role>(token: string, method: string, at: string, json?: object) =>
  gateway.json<Body>(at, { method, token, ...(json && { json }) });
const add = async (json: object, token = owner) => (await ask(token, 'POST', `${path}/roles`, json)).body;
const person = () => {
  people += 1;
  return addWithToken(gateway, `person_${people}`);
};
const give = (token: string, { id }: { id: bigint }, role: string) =>
  ask<{ error?: string; role: Role }>(token, 'POST', `${path}/accounts/${id}/role`, { role_id: role });
const has = async (role: string) => {
  const somebody = await person();
  expect((await give(owner, somebody, role)).status).toBe(200);
  return somebody;
};
const shownTo = async (token: string, id: bigint) =>
  (await ask<{ roles: object[] }>(token, 'GET', `/api/v1/accounts/${id}`)).body.roles;
const mayList = async (token: string) => (await ask(token, 'GET', '/api/v1/admin/accounts')).status;
const stored = () => allRoles(gateway.actors.read).map(({ name }) => name);

test('the built-in ones come first, and stay as they are', async () => {
  const { body } = await ask<Role[]>(owner, 'GET', `${path}/roles`);
  expect(body.map(({ name }) => name)).toEqual(['Owner', 'Admin', 'Moderator', '']);
  expect((await ask(owner, 'PUT', `${path}/roles/2`, { name: 'Boss' })).status).toBe(422);
  expect((await ask(owner, 'DELETE', `${path}/roles/2`)).status).toBe(422);
  expect((await ask(owner, 'GET', `${path}/roles/1`)).body).toMatchObject({
    ...{ permissions: '1115420', position: 10, built_in: true, accounts_count: 0 },
  });
});

test('whom a role that is shown and decides about accounts mentions hears of it, whatever they filter', async () => {
  const [stranger, other] = [await person(), await person()];
  const policy = { for_not_following: 'drop' };
  for (const { token } of [stranger, other]) await ask(token, 'PUT', '/api/v2/notifications/policy', policy);
  const roles = {
    keepers: { highlighted: true, position: 30, permission_names: ['manage_reports'] },
    hidden: { highlighted: false, position: 30, permission_names: ['manage_reports'] },
    badges: { highlighted: true, position: 30, permission_names: ['manage_rules'] },
    lower: { highlighted: true, position: 10, permission_names: ['manage_users'] },
  };
  const hears = async ({ token }: { readonly token: string }) =>
    (await ask<{ account: { id: string } }[]>(token, 'GET', '/api/v1/notifications?types[]=mention')).body.map(
      ({ account }) => account.id,
    );
  const heard: string[] = [];
  const names = { stranger: `person_${people - 1}`, other: `person_${people}` };
  const given: { id: string }[] = [];
  for (const [name, content] of Object.entries(roles)) {
    const role = await add({ name, ...content });
    given.push(role);
    const author = await has(role.id);
    const said = await ask<{ id: string }>(author.token, 'POST', '/api/v1/statuses', {
      status: `@${names.stranger} hello`,
    });
    gateway.actors.settle();
    if ((await hears(stranger)).includes(author.id.toString())) heard.push(name);
    // Whom an edit mentions later, too: here somebody with a role of the same position as the lowest of these.
    if (name === 'keepers') await give(owner, other, 'moderator');
    await ask(author.token, 'PUT', `/api/v1/statuses/${said.body.id}`, { status: `@${names.other} hello` });
    gateway.actors.settle();
    if ((await hears(other)).includes(author.id.toString())) heard.push(`${name}, edited`);
  }
  expect(heard).toEqual(['keepers', 'keepers, edited', 'lower']);
  for (const role of given) await ask(owner, 'DELETE', `${path}/roles/${role.id}`);
});

test('a role is added, given, seen everywhere, changed for all who have it, and removed', async () => {
  const helpers = await add({
    ...{ name: ' Helpers ', color: '8F0', position: 20, highlighted: true },
    permission_names: ['manage_users'],
  });
  expect(helpers).toMatchObject({
    ...{ name: 'Helpers', color: '#88ff00', permissions: String(1_024 + 65_536), highlighted: true },
    ...{ permission_names: ['manage_users'], built_in: false, accounts_count: 0, two_factor_required: false },
  });
  const hana = await has(helpers.id);
  const stranger = await person();
  const badge = { id: helpers.id, name: 'Helpers', color: '#88ff00' };
  expect(await shownTo(stranger.token, hana.id)).toEqual([badge]);
  expect((await ask(hana.token, 'GET', '/api/v1/accounts/verify_credentials')).body).toMatchObject({
    roles: [badge],
    role: { ...badge, permissions: '66560' },
  });
  expect(await mayList(hana.token)).toBe(200);
  const listed = await ask<{ id: string }[]>(owner, 'GET', `/api/v2/admin/accounts?role_ids[]=${helpers.id}`);
  expect(listed.body.map(({ id }) => id)).toEqual([String(hana.id)]);
  expect((await ask(owner, 'GET', `${path}/roles/${helpers.id}`)).body).toMatchObject({ accounts_count: 1 });

  await ask(owner, 'PATCH', `${path}/roles/${helpers.id}`, { name: 'Friends', permission_names: [''] });
  expect(await mayList(hana.token)).toBe(403);
  expect(await shownTo(stranger.token, hana.id)).toEqual([{ ...badge, name: 'Friends' }]);
  await ask(owner, 'PATCH', `${path}/roles/${helpers.id}`, { highlighted: false });
  expect(await shownTo(stranger.token, hana.id)).toEqual([]);

  await ask(owner, 'PATCH', `${path}/roles/${helpers.id}`, { permission_names: ['manage_reports'] });
  expect(staffNotifiedOf(gateway.actors.read, 'admin.report')).toContain(hana.id);
  const reporters = await ask<{ id: string }[]>(owner, 'GET', '/api/v1/admin/accounts?staff=1');
  expect(reporters.body.map(({ id }) => id)).toContain(String(hana.id));

  expect((await ask(owner, 'DELETE', `${path}/roles/${helpers.id}`)).status).toBe(200);
  expect((await ask(hana.token, 'GET', '/api/v1/accounts/verify_credentials')).body).toMatchObject({
    roles: [],
    role: { id: '0', permissions: '65536' },
  });
  expect(staffNotifiedOf(gateway.actors.read, 'admin.report')).not.toContain(hana.id);
  const users = await ask<{ id: string }[]>(owner, 'GET', '/api/v2/admin/accounts?role_ids[]=0');
  expect(users.body.map(({ id }) => id)).toContain(String(hana.id));
  expect((await ask(owner, 'GET', `${path}/roles/${helpers.id}`)).status).toBe(404);
  const entries = auditPage(gateway.actors.read, { targetId: helpers.id }, { limit: 9 }).items;
  expect(entries.map(({ action }) => action)).toEqual(['removeRole', ...Array(3).fill('editRole'), 'addRole']);
  expect(entries.at(-2)).toMatchObject({
    name: 'Friends',
    changes: [
      { field: 'name', before: 'Helpers', after: 'Friends' },
      { field: 'permissions', before: 'manageUsers', after: '' },
    ],
  });
  const given = auditPage(gateway.actors.read, { targetId: String(hana.id), action: 'changeRole' }, { limit: 9 }).items;
  expect(given.map(({ changes }) => changes)).toEqual([[{ field: 'role', before: 'user', after: 'Helpers' }]]);
});

test('it may ask for two-factor authentication, at once', async () => {
  const guards = await add({ name: 'Guards', position: 1 });
  const gus = await has('guards');
  expect((await ask(gus.token, 'GET', '/api/v1/accounts/verify_credentials')).status).toBe(200);
  await ask(owner, 'PUT', `${path}/roles/${guards.id}`, { two_factor_required: true });
  const refused = await ask<{ error: string }>(gus.token, 'GET', '/api/v1/accounts/verify_credentials');
  expect([refused.status, refused.body.error]).toEqual([403, 'Your role requires two-factor authentication']);
  await ask(owner, 'DELETE', `${path}/roles/${guards.id}`);
  expect((await ask(gus.token, 'GET', '/api/v1/accounts/verify_credentials')).status).toBe(200);
});

test.each([
  [{}, "Name can't be blank"],
  [{ name: 'x'.repeat(101) }, 'Name is too long (maximum is 100 characters)'],
  [{ name: 'MODERATOR' }, 'Name has already been taken'],
  [{ name: 'Odd', color: 'mauve' }, 'Color is invalid'],
  [{ name: 'Odd', position: 1_000 }, 'Position is invalid'],
  [{ name: 'Odd', position: -1 }, 'Position is invalid'],
  [{ name: 'Odd', permission_names: ['fly'] }, undefined],
])('%j is refused, and leaves nothing behind', async (json, sentence) => {
  const before = stored();
  const refused = await ask<{ error: string }>(owner, 'POST', `${path}/roles`, json);
  expect(refused.status).toBe(422);
  if (sentence !== undefined) expect(refused.body.error).toContain(sentence);
  expect(stored()).toEqual(before);
});

describe('nobody', () => {
  const forbidden = async (asked: Promise<{ status: number; body: unknown }>) =>
    expect(await asked).toMatchObject({ status: 403, body: { error: 'This action is not allowed' } });

  test('makes, changes, gives or removes what is not below his own role', async () => {
    const [equals, below] = [await add({ name: 'Equals', position: 100 }), await add({ name: 'Below', position: 99 })];
    await forbidden(ask(admin, 'POST', `${path}/roles`, { name: 'Mine', position: 100 }));
    await forbidden(ask(admin, 'PUT', `${path}/roles/${equals.id}`, { name: 'Mine' }));
    await forbidden(ask(admin, 'PUT', `${path}/roles/${below.id}`, { position: 100 }));
    await forbidden(ask(admin, 'DELETE', `${path}/roles/${equals.id}`));
    const paul = await person();
    await forbidden(give(admin, paul, equals.id));
    expect((await give(admin, paul, below.id)).body.role.name).toBe('Below');
    // Among those with added roles as well nobody acts on an equal.
    await ask(owner, 'PUT', `${path}/roles/${below.id}`, { permission_names: ['manage_roles', 'manage_users'] });
    const [pia, user] = [await has(below.id), await person()];
    await forbidden(give(paul.token, pia, 'user'));
    await forbidden(ask(paul.token, 'POST', `/api/v1/admin/accounts/${pia.id}/action`, { type: 'silence' }));
    await forbidden(give(paul.token, paul, 'user'));
    await forbidden(give(paul.token, user, below.id));
    expect(
      (await ask(paul.token, 'POST', `/api/v1/admin/accounts/${user.id}/action`, { type: 'silence' })).status,
    ).toBe(200);
    expect((await give(admin, paul, 'user')).body.role.id).toBe('0');
  });

  test('gives what he does not hold himself', async () => {
    await forbidden(ask(admin, 'POST', `${path}/roles`, { name: 'Engineers', permission_names: ['view_devops'] }));
    await forbidden(ask(admin, 'POST', `${path}/roles`, { name: 'Engineers', permission_names: ['administrator'] }));
    const engineers = await add({ name: 'Engineers', permission_names: ['view_devops'] });
    const emma = await person();
    await forbidden(give(admin, emma, engineers.id));
    await forbidden(ask(admin, 'PUT', `${path}/roles/${engineers.id}`, { name: 'Mechanics' }));
    expect((await give(owner, emma, engineers.id)).status).toBe(200);
  });

  test('whoever holds everything acts below his position only', async () => {
    await add({ name: 'Deputies', position: 500, permission_names: ['administrator'] });
    const deputy = await has('Deputies');
    expect((await ask(deputy.token, 'GET', '/api/v1/accounts/verify_credentials')).body).toMatchObject({
      role: { permissions: '8388607' },
    });
    expect((await ask(deputy.token, 'POST', `${path}/roles`, { name: 'Elders', position: 499 })).status).toBe(200);
    await forbidden(give(deputy.token, await person(), 'owner'));
  });
});

test('an unknown role is nobody’s', async () => {
  const { status, body } = await give(owner, await person(), '99');
  expect([status, body.error]).toEqual([422, 'Validation failed: There is no role 99']);
  expect((await ask(owner, 'GET', `${path}/roles/99`)).status).toBe(404);
  expect((await ask(owner, 'GET', `${path}/roles/nothing`)).status).toBe(404);
});

test('the command line does the same', async () => {
  const type = async (line: string) => (await typed(gateway.services, line)).printed;
  const [line] = await type(
    'roles add "Page writers" --position 30 --permissions "manage_rules view_dashboard" --color #123 --highlighted',
  );
  expect(line).toMatch(/^\d+ {2}Page writers {2}position 30 {2}0 accounts {2}shown {2}view_dashboard manage_rules$/);
  const id = line!.split(' ')[0]!;
  await person();
  const name = `person_${people}`;
  expect(await type(`roles give "page writers" ${name}`)).toEqual([`${name} has the role page writers.`]);
  expect(await type(`accounts show ${name}`)).toContain('Role: Page writers');
  expect(await type('accounts list --role "Page writers"')).toEqual([expect.stringContaining(name)]);
  expect(await type(`roles modify ${id} --name Authors`)).toEqual([expect.stringContaining('Authors')]);
  expect(await type('roles list')).toHaveLength(stored().length);
  expect(await type(`roles remove ${id}`)).toEqual([`Removed the role ${id}.`]);
  expect(await type(`accounts show ${name}`)).toContain('Role: user');
});
