/** Who may ask the endpoints of staff, by token, scope and role (behaviour of the Mastodon API). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditPage, type StoredAuditEntry } from '../../../../src/actors/audit.queries.ts';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import type { RoleContent } from '../../../../src/actors/instance/roles/roles.records.ts';
import { builtInRoles } from '../../../../src/actors/policy/roles.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { createToken } from '../../../../src/operations/administration/create-token.ts';
import { operator } from '../../../../src/operations/caller.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';

const roles = ['user', 'moderator', 'admin', 'owner'] as const;
let gateway: TestGateway;
const tokens = new Map<string, string>();
/** What the audit log had before anything was asked. */
let decided: readonly StoredAuditEntry[];
const wholeLog = () => auditPage(gateway.services.snapshots, {}, { limit: 10_000 }).items;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  for (const role of roles) tokens.set(role, (await addWithToken(gateway, role, { role })).token);
  const context = { caller: operator, services: gateway.services };
  for (const [name, bits] of [
    ['trusted', builtInRoles.moderator.bits],
    ['honoured', 0],
  ] as const) {
    const content: RoleContent = { name, color: '', isHighlighted: true, position: 50, bits, needsTwoFactor: false };
    const added = await gateway.actors.call(Instance.addRole.to(instanceKey, content));
    tokens.set(name, (await addWithToken(gateway, name, added)).token);
  }
  for (const scopes of ['read write', 'admin:read', 'admin:write'])
    tokens.set(scopes, (await createToken(context, { username: 'owner', scopes })).token);
  decided = wholeLog();
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  // Whoever asked for whatever, also the owner: nothing of it went.
  expect(decided.length).toBeGreaterThan(0);
  expect(wholeLog()).toEqual(expect.arrayContaining([...decided]));
  await gateway.close();
});

const routes = endpoints
  .filter(({ path }) => /^\/api\/(murmuration\/)?v[12]\/admin\//.test(path))
  .flatMap(({ methods, path }) => methods.map((method) => [method, path] as const));

/** What moderators are not there for. */
const forAdmins = new RegExp(
  [
    '/(domain_blocks|domain_allows|email_domain_blocks|canonical_email_blocks|ip_blocks|relays|appeals|instances)',
    '/admin/(federation|domain_lists|roles|invites|webhooks|username_blocks|accounts/:id/role$)',
    '/accounts/:id/(promote|demote|sign_out|reset_password|rotate_keys|confirm|disable_two_factor|email|memorialize|refetch)$',
    '^DELETE /api/v1/admin/accounts/',
    '/admin/(announcements|custom_emojis|documents|rules|settings|terms_of_service)',
    '^(POST|PUT|PATCH|DELETE) /api/v1/admin/warning_presets',
  ].join('|'),
);
/** Whoever operates the machine; and what only a role of its own may do besides. */
const forOwners = /\/admin\/(storage|accounts\/:id\/end_email_subscriptions)$/;
/** Roles that staff have added, and the built-in ones with the same permissions. */
const asAdded: Readonly<Record<string, string>> = { trusted: 'moderator', honoured: 'user' };
/** Others are shown there what everybody is shown. */
const forAll = /\/trends\/(tags|links|statuses)$/;

async function asked(method: string, path: string, who: string | undefined) {
  const token = who === undefined ? {} : { token: tokens.get(who)! };
  const answer = await gateway.fetch(path.replaceAll(/:\w+/g, '1'), { method, ...token });
  const body = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return [answer.status, isJson ? (JSON.parse(body) as { error?: string }).error : undefined] as const;
}

test('there are routes of staff', () => {
  expect(routes.length).toBeGreaterThan(5);
});

/** Those of Mastodon 4.5, by what is there of each. */
const ofMastodon = {
  accounts: 'GET GET/:id DELETE/:id',
  'accounts/:id': 'POST/action POST/approve POST/enable POST/reject POST/unsensitive POST/unsilence POST/unsuspend',
  canonical_email_blocks: 'GET POST GET/:id DELETE/:id POST/test',
  dimensions: 'POST',
  domain_allows: 'GET POST GET/:id DELETE/:id',
  domain_blocks: 'GET POST GET/:id PUT/:id DELETE/:id',
  email_domain_blocks: 'GET POST GET/:id DELETE/:id',
  ip_blocks: 'GET POST GET/:id PUT/:id DELETE/:id',
  measures: 'POST',
  reports: 'GET GET/:id PUT/:id',
  'reports/:id': 'POST/assign_to_self POST/reopen POST/resolve POST/unassign',
  retention: 'POST',
  tags: 'GET GET/:id PUT/:id',
  'trends/links': 'GET POST/:id/approve POST/:id/reject GET/publishers',
  'trends/links/publishers/:id': 'POST/approve POST/reject',
  'trends/statuses': 'GET POST/:id/approve POST/:id/reject',
  'trends/tags': 'GET POST/:id/approve POST/:id/reject',
} as const;

test('all routes of Mastodon are there', () => {
  const wanted = Object.entries(ofMastodon).flatMap(([path, asked]) =>
    asked.split(' ').map((one) => one.replace(/^([A-Z]+)/, `$1 /api/v1/admin/${path}`)),
  );
  const known = routes.map(([method, path]) => `${method} ${path}`);
  expect([...wanted, 'GET /api/v2/admin/accounts'].filter((route) => !known.includes(route))).toEqual([]);
});

describe.each(routes)('%s %s', (method, path) => {
  test('needs a token with the scope', async () => {
    expect((await asked(method, path, undefined))[0]).toBe(401);
    const refused = [403, 'This action is outside the authorized scopes'];
    expect(await asked(method, path, 'read write')).toEqual(refused);
    const reads = method === 'GET' || /(_blocks\/test|\/(?:try|measures|dimensions|retention))$/.test(path);
    expect(await asked(method, path, reads ? 'admin:write' : 'admin:read')).toEqual(refused);
  });

  test.each([...roles, ...Object.keys(asAdded)])('of %s', async (who) => {
    const role = asAdded[who] ?? who;
    const mayDecide = role !== 'user' && (role !== 'moderator' || !forAdmins.test(`${method} ${path}`));
    const may = forAll.test(path) || (forOwners.test(path) ? role === 'owner' : mayDecide);
    const [status, error] = await asked(method, path, who);
    if (may) expect(error).not.toBe('This action is not allowed');
    else expect([status, error]).toEqual([403, 'This action is not allowed']);
  });
});
