/**
 * Every operation of staff, as declared, for every kind of caller: who may, and what is written to the audit log. The
 * operations are found in the sources; each needs a row of input here.
 */
import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Role } from '../../src/actors/account/profile/profile.records.ts';
import { auditMoments, auditPage, type StoredAuditEntry } from '../../src/actors/audit.queries.ts';
import { type AuditAction, auditActionNames, auditActions } from '../../src/actors/audit.records.ts';
import { findAnnouncement } from '../../src/actors/instance/announcements/announcements.queries.ts';
import { builtInRoles } from '../../src/actors/policy/roles.ts';
import { publishAnnouncement } from '../../src/operations/administration/announcements.ts';
import { blockCanonicalEmail } from '../../src/operations/administration/canonical-email-blocks.ts';
import { changeRole } from '../../src/operations/administration/change-role.ts';
import { allowDomain } from '../../src/operations/administration/domain-allows.ts';
import { blockDomain } from '../../src/operations/administration/domain-blocks.ts';
import { blockEmailDomain } from '../../src/operations/administration/email-domain-blocks.ts';
import { blockAddress } from '../../src/operations/administration/ip-blocks.ts';
import { resetPassword } from '../../src/operations/administration/reset-password.ts';
import { addRule } from '../../src/operations/administration/server-rules.ts';
import { suspendAccount, unsuspendAccount } from '../../src/operations/administration/suspend-account.ts';
import { blockUsername } from '../../src/operations/administration/username-blocks.ts';
import { type Caller, operator } from '../../src/operations/caller.ts';
import type { Operation, OperationContext } from '../../src/operations/operation.ts';
import { type PermissionName, permissions, roleHolds } from '../../src/operations/permissions.ts';
import { Failure } from '../../src/runtime/errors.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';
import { inviteInputs } from './staff-of-invites.ts';
import { postInputs } from './staff-of-posts.ts';
import { relayInputs } from './staff-of-relays.ts';
import { addedRole, addedRoles, roleInputs } from './staff-of-roles.ts';
import { ruleInputs } from './staff-of-rules.ts';
import { serverInputs } from './staff-of-servers.ts';
import { siteInputs } from './staff-of-site.ts';
import { trendInputs } from './staff-of-trends.ts';
import { webhookInputs } from './staff-of-webhooks.ts';

type Declared = Operation<never, PermissionName, unknown>;

const operations = new Map<string, Declared>();
for await (const path of glob('src/operations/**/*.ts'))
  for (const [name, value] of Object.entries((await import(resolve(path))) as Record<string, unknown>))
    if (typeof value === 'function' && 'permission' in value) operations.set(name, value as Declared);
const ofStaff = [...operations].filter(([, { permission }]) => permissions[permission].holder === 'staff');

const roles = ['user', 'moderator', 'admin', 'owner'] as const satisfies readonly Role[];
const who = ['no token', ...roles, ...addedRoles, 'operator'] as const;
const address = '192.0.2.7';
let callers: Callers;
let bob: Person;
let asOperator: OperationContext<typeof operator>;

beforeEach(() => {
  callers = new Callers();
  bob = callers.people.local('bob', {}, { approved: false, confirmed: false });
  asOperator = { caller: operator, services: callers.services };
  Object.assign(callers.services.options, { relay: 'beside' });
  Object.assign(callers.services.mail, { isOn: true });
});

function callerOf(one: (typeof who)[number], permission: PermissionName): Caller {
  if (one === 'operator') return operator;
  if (one === 'no token') return callers.visitor().caller;
  const role = one === 'with it' || one === 'without it' ? addedRole(callers, one, permission) : { role: one };
  return { ...callers.as(callers.people.local('dora', {}, role)).caller, address: () => address };
}

const log = (filter = {}): StoredAuditEntry[] => auditPage(callers.people.server.read, filter, { limit: 40 }).items;

const onBob = () => ({ account: bob.id });
const blocked = async () => (await blockDomain(asOperator, { domain: 'spam.example' })).block;
const mail = { email: 'spam@spam.example' };
const mailDomain = () => blockEmailDomain(asOperator, { domain: 'spam.example' });
const mailAddress = () => blockCanonicalEmail(asOperator, mail);
const range = { range: '192.0.2.0/24', severity: 'sign_up_block' as const };
const ranges = () => blockAddress(asOperator, range);

async function report() {
  const carol = callers.people.local('carol');
  const said = { targetId: bob.id, statusIds: [], ruleIds: [], category: 'spam' as const, comment: '' };
  return callers.people.server.call(Account.fileReport.to(carol.id, said));
}

/** What each is called with. */
const inputs: Readonly<Record<string, () => unknown>> = {
  allowDomain: () => ({ domain: 'birds.example' }),
  approveAccount: onBob,
  assignReport: async () => ({
    ...(await report()),
    assignee: callers.people.local('mona', {}, { role: 'moderator' }).id,
  }),
  blockAddress: () => range,
  blockCanonicalEmail: () => mail,
  blockEmailDomain: () => ({ domain: 'spam.example' }),
  blockUsername: () => ({ username: 'spam' }),
  blockDomain: () => ({ domain: 'spam.example', severity: 'suspend' }),
  changeAddressBlock: async () => ({ id: (await ranges()).id, severity: 'no_access' }),
  changeDomainBlock: async () => ({ id: (await blocked()).id, severity: 'suspend' }),
  changeReport: async () => ({ ...(await report()), category: 'legal' }),
  confirmAccount: onBob,
  createDemo: () => ({}),
  createAccount: () => ({ username: 'eve', email: 'eve@example.org', confirmed: true, approved: true }),
  createToken: () => ({ username: 'bob', scopes: 'read' }),
  changeAccountEmail: async () => ({ ...(await onBob()), email: 'bob@other.example' }),
  deleteDamagedRecord: () => ({ letter: '0-1' }),
  disableAccount: onBob,
  disableTwoFactor: onBob,
  endEmailSubscriptions: onBob,
  memorializeAccount: onBob,
  unblockAccountEmail: async () => {
    await suspendAccount(asOperator, onBob());
    return onBob();
  },
  refetchAccount: async () => ({ account: callers.people.remote('ron', 'birds.example').id }),
  disallowDomain: async () => ({ domain: (await allowDomain(asOperator, { domain: 'birds.example' })).id }),
  dropDeadLetters: () => ({ letter: '0-1' }),
  enableAccount: onBob,
  endSessions: onBob,
  forceNewPassword: onBob,
  inspectAccount: () => ({ accountId: bob.id }),
  limitAccount: onBob,
  listAccounts: () => ({ limit: 5 }),
  listAddressBlocks: () => ({ limit: 5 }),
  listAudit: () => ({ limit: 5 }),
  listDeadLetters: () => ({ limit: 5 }),
  listDeliveries: () => ({ limit: 5 }),
  freeSpace: () => ({}),
  listCanonicalEmailBlocks: () => ({ limit: 5 }),
  listDomainAllows: () => ({ limit: 5 }),
  listDomainBlocks: () => ({ limit: 5 }),
  listEmailDomainBlocks: () => ({ limit: 5 }),
  listOpenReports: () => ({ limit: 5 }),
  listReports: () => ({ limit: 5 }),
  listSignIns: () => ({ account: bob.id, limit: 5 }),
  listUsernameBlocks: () => ({ limit: 5 }),
  listWarnings: () => ({ username: 'bob' }),
  markAccountSensitive: onBob,
  mediaUsage: () => ({}),
  mailState: () => ({}),
  modifyAccount: () => ({ username: 'bob' }),
  moveMedia: () => ({}),
  pruneMedia: () => ({ days: 1 }),
  rebuildSearch: () => ({}),
  refreshMedia: () => ({ subject: '@bob' }),
  removeAccountData: async () => {
    await suspendAccount(asOperator, onBob());
    return onBob();
  },
  rejectAccount: () => ({ account: bob.id }),
  reopenReport: report,
  resetPassword: () => ({ ...onBob(), password: 'a better password' }),
  resolveReport: async () => ({ reportId: String((await report()).reportId) }),
  retryDeadLetters: () => ({ letter: '0-1' }),
  retryDeliveries: () => ({ host: 'all' }),
  searchState: () => ({}),
  serverState: () => ({}),
  setFederationMode: () => ({ mode: 'allow-list' }),
  showAddressBlock: async () => ({ id: (await ranges()).id }),
  showCanonicalEmailBlock: async () => ({ id: (await mailAddress()).id }),
  showEmailDomainBlock: async () => ({ id: (await mailDomain()).id }),
  showDomainAllow: async () => ({ id: (await allowDomain(asOperator, { domain: 'birds.example' })).id }),
  showDomainBlock: async () => ({ id: (await blocked()).id }),
  showAccount: () => ({ username: 'bob' }),
  showDeadLetter: () => ({ letter: '0-1' }),
  showReport: report,
  showUsernameBlock: async () => ({ id: (await blockUsername(asOperator, { username: 'spam' })).id }),
  suspendAccount: onBob,
  testCanonicalEmail: () => mail,
  unassignReport: report,
  unblockAddress: async () => ({ range: (await ranges()).id }),
  unblockCanonicalEmail: async () => ({ id: (await mailAddress()).id }),
  unblockEmailDomain: async () => ({ domain: (await mailDomain()).id }),
  unblockUsername: () => blockUsername(asOperator, { username: 'spam' }),
  testMail: () => ({ email: 'operator@example.org' }),
  unblockDomain: async () => ({ domain: (await blocked()).id }),
  unlimitAccount: onBob,
  unmarkAccountSensitive: onBob,
  unsuspendAccount: onBob,
  warnAccount: () => ({ ...onBob(), text: 'Be kind' }),
  ...serverInputs,
  ...trendInputs(() => callers),
  ...ruleInputs(() => ({ callers, bob })),
  ...postInputs(() => ({ callers, bob })),
  ...relayInputs(() => callers),
  ...roleInputs(() => ({ callers, bob })),
  ...inviteInputs(() => ({ callers, bob })),
  ...siteInputs(() => callers),
  ...webhookInputs(() => callers),
};

test('every operation of staff is called here, and every action that can be written is declared', () => {
  expect(ofStaff.map(([name]) => name).sort()).toEqual(Object.keys(inputs).sort());
  const declared = ofStaff.flatMap(([, { audit }]) => (typeof audit === 'string' ? audit : []));
  expect(declared.sort()).toEqual([...auditActionNames].sort());
});

/** Whether it was refused because of who asked. */
async function isForbidden(declared: Declared, caller: Caller, input: unknown): Promise<boolean> {
  try {
    await declared({ caller, services: callers.services } as never, input as never);
    return false;
  } catch (error) {
    return error instanceof Failure && error.code === 'forbidden';
  }
}

describe.each(ofStaff)('%s', (name, declared) => {
  const { permission, audit } = declared;

  test.each(who)('by: %s', async (one) => {
    const role = one === 'without it' ? 'user' : one;
    const may =
      role === 'operator' || role === 'with it' || (role !== 'no token' && roleHolds(builtInRoles[role], permission));
    const caller = callerOf(one, permission);
    const input = await inputs[name]!();
    const earlier = log();
    const before = earlier.length;
    expect(await isForbidden(declared, caller, input)).toBe(!may);
    // A sanction closes the reports that led to it, and a step is a change of the role.
    const others = ({ action }: StoredAuditEntry) =>
      action === audit || !['resolveReport', 'changeRole'].includes(action);
    const written = log()
      .slice(0, log().length - before)
      .filter(others);
    expect(log().slice(-before || log().length)).toEqual(earlier);
    if (!may || typeof audit !== 'string') return expect(written).toEqual([]);
    const by = one === 'operator' ? { by: 'commandLine' } : { by: 'account', accountId: caller.accountId, address };
    expect(written).toEqual([
      expect.objectContaining({ action: audit, ...by, at: callers.services.now(), name: expect.stringMatching(/./) }),
    ]);
    const { targetId } = written[0]!;
    if (auditActions[audit] === 'account' && audit !== 'createAccount') expect(targetId).toBe(String(bob.id));
    const same = { target: auditActions[audit], ...(targetId !== undefined && { targetId }), action: audit };
    expect(log(same)).toEqual(written);
  });
});

/** What an input is made with is a decision of somebody else about the same thing. */
describe('who has not been shown the last decision about something changes nothing:', () => {
  const about = [
    ...['changeAddressBlock', 'unblockAddress', 'unblockCanonicalEmail', 'unblockEmailDomain', 'unblockUsername'],
    ...['changeAnnouncement', 'mailAnnouncement', 'withdrawAnnouncement', 'changeRule', 'removeRule'],
    ...['changeDomainBlock', 'unblockDomain', 'disallowDomain', 'changeDomainList', 'readDomainListNow'],
    ...['unsubscribeFromDomainList', 'changeEmoji', 'removeEmoji', 'changeWarningPreset', 'removeWarningPreset'],
    ...['editRole', 'removeRole', 'removeDocument', 'tellTerms', 'withdrawTerms', 'removeAccountData'],
    ...['changeWebhook', 'removeWebhook', 'enableWebhook', 'disableWebhook', 'rotateWebhookSecret'],
  ];

  test.each(about)('%s', async (name) => {
    const declared = operations.get(name)!;
    const input = await inputs[name]!();
    const before = log();
    const caller = { ...callerOf('owner', declared.permission), known: [] };
    const decided = (async () => declared({ caller, services: callers.services } as never, input as never))();
    await expect(decided).rejects.toMatchObject({ code: 'conflict', reason: 'decidedMeanwhile' });
    expect(log()).toEqual(before);
  });
});

/** Each is a new thing, or takes nothing away from anybody. */
const addsOnly = /^(publish|create|add|import|testWebhook$)/;

describe('what is decided twice at the same moment is written once:', () => {
  const deciding = ofStaff.filter(([name, { audit }]) => typeof audit === 'string' && !addsOnly.test(name));

  test.each(deciding)('%s', async (name, declared) => {
    const input = await inputs[name]!();
    const late = { ...callerOf('owner', declared.permission), known: auditMoments(callers.people.server.read) };
    await isForbidden(declared, operator, input);
    const before = log();
    await isForbidden(declared, late, input);
    expect(log()).toEqual(before);
  });
});

/** Who decides about accounts (behaviour of the Mastodon API). */
test.each<[AuditAction, readonly Role[]]>([
  ['warnAccount', ['moderator', 'admin', 'owner']],
  ['limitAccount', ['moderator', 'admin', 'owner']],
  ['suspendAccount', ['moderator', 'admin', 'owner']],
  ['unsuspendAccount', ['moderator', 'admin', 'owner']],
  ['disableAccount', ['moderator', 'admin', 'owner']],
  ['approveAccount', ['moderator', 'admin', 'owner']],
  ['resetPassword', ['admin', 'owner']],
  ['confirmAccount', ['admin', 'owner']],
  ['changeRole', ['admin', 'owner']],
  ['createToken', ['owner']],
])('%s is for %j', (name, holders) => {
  expect(roles.filter((role) => roleHolds(builtInRoles[role], operations.get(name)!.permission))).toEqual(holders);
});

describe('nobody acts on an equal or better', () => {
  const decisions = ofStaff.filter(([name]) => inputs[name] === onBob || ['changeRole', 'warnAccount'].includes(name));

  test.each(decisions)('%s', async (_name, declared) => {
    const given = declared.audit === 'changeRole' ? { role: 'user' } : { text: 'Be kind' };
    const allowed: string[] = [];
    for (const role of roles)
      for (const of of roles) {
        const approved = declared.audit !== 'approveAccount';
        const target = callers.people.local(`${role}_of_${of}`, {}, { role: of, approved });
        const { caller } = callers.as(callers.people.local(`${role}_on_${of}`, {}, { role }));
        if (!roleHolds(builtInRoles[role], declared.permission)) continue;
        if (!(await isForbidden(declared, caller, { account: target.id, ...given }))) allowed.push(`${role} on ${of}`);
      }
    const lower = roles.flatMap((role, rank) => roles.slice(0, rank).map((of) => `${role} on ${of}`));
    expect(allowed).toEqual(
      lower.filter((pair) => roleHolds(builtInRoles[pair.split(' ')[0] as Role], declared.permission)),
    );
  });

  test.each<[Role, Role, boolean]>([
    ['admin', 'moderator', true],
    ['admin', 'admin', true],
    ['admin', 'owner', false],
    ['owner', 'admin', true],
    ['owner', 'owner', false],
  ])('an %s makes somebody %s: %s', async (role, given, may) => {
    const context = callers.as(callers.people.local('dora', {}, { role }));
    const made = changeRole(context, { account: bob.id, role: given });
    if (may) await made;
    else await expect(made).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('the only owner stays one, also for the operator', async () => {
    const dora = callers.people.local('dora', {}, { role: 'owner' });
    const demoted = () => changeRole(asOperator, { account: dora.id, role: 'user' });
    await expect(demoted()).rejects.toMatchObject({ code: 'validation' });
    const olga = callers.people.local('olga');
    await changeRole(asOperator, { account: olga.id, role: 'owner' });
    await demoted();
    expect(log({ action: 'changeRole' }).map(({ changes }) => changes)).toEqual([
      [{ field: 'role', before: 'owner', after: 'user' }],
      [{ field: 'role', before: 'user', after: 'owner' }],
    ]);
  });
});

describe('an entry', () => {
  test('shows what has changed, and no secret', async () => {
    await resetPassword(asOperator, { ...onBob(), password: 'a better password' });
    await suspendAccount(asOperator, { ...onBob(), text: 'Spam' });
    await unsuspendAccount(asOperator, onBob());
    expect(log().map(({ action, name, changes }) => [action, name, changes])).toEqual([
      ['unsuspendAccount', 'bob', [{ field: 'suspended', before: true, after: false }]],
      [
        'suspendAccount',
        'bob',
        [
          { field: 'suspended', before: false, after: true },
          { field: 'text', after: 'Spam' },
        ],
      ],
      ['resetPassword', 'bob', [{ field: 'password' }]],
    ]);
  });

  test('is written for what the server does by itself', async () => {
    const { server } = callers.people;
    const { announcementId } = await publishAnnouncement(asOperator, {
      text: 'Tea until five',
      endsAt: callers.services.now() + 1_000,
      allDay: false,
    });
    server.clock.advance(2_000);
    expect(findAnnouncement(server.read, announcementId)).toBeUndefined();
    expect(log({ by: 'server' })).toMatchObject([
      { action: 'withdrawAnnouncement', targetId: String(announcementId), name: 'Tea until five' },
    ]);
  });

  test('shortens long texts', async () => {
    await addRule(asOperator, { text: 'x'.repeat(900), hint: '' });
    const [{ name, changes }] = log() as [StoredAuditEntry];
    expect([name.length, changes[0]!.after]).toEqual([500, `${'x'.repeat(499)}…`]);
  });
});
