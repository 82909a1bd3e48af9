/** Invites as operations: who may invite, and what an invite lets somebody do. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { followCreator } from '../../src/actors/account/local/local.effects.ts';
import { findLogin } from '../../src/actors/account/profile/logins.queries.ts';
import { auditPage } from '../../src/actors/audit.queries.ts';
import {
  Instance,
  type InvitationMode,
  instanceKey,
  type RegistrationMode,
  registrationModes,
} from '../../src/actors/instance/instance.messages.ts';
import { bitsOf, type RolePermission } from '../../src/actors/policy/roles.ts';
import { blockEmailDomain } from '../../src/operations/administration/email-domain-blocks.ts';
import { addServerInvite, endInvites, listInvites } from '../../src/operations/administration/invites.ts';
import { blockAddress } from '../../src/operations/administration/ip-blocks.ts';
import { listAccounts } from '../../src/operations/administration/list-accounts.ts';
import { blockUsername } from '../../src/operations/administration/username-blocks.ts';
import { operator } from '../../src/operations/caller.ts';
import { inviteRunner } from '../../src/operations/invites/follow-creator.ts';
import { type InviteView, inviteOfCode } from '../../src/operations/invites/invites.ts';
import { endOwnInvite, listOwnInvites, makeInvite } from '../../src/operations/invites/own-invites.ts';
import type { OperationContext } from '../../src/operations/operation.ts';
import { FieldsRefused } from '../../src/operations/refused-fields.ts';
import { registerAccount } from '../../src/operations/registration/register-account.ts';
import type { Failure } from '../../src/runtime/errors.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;
let asOperator: OperationContext<typeof operator>;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice');
  asOperator = { caller: operator, services: callers.services };
});

const settings = (changes: { registrations?: RegistrationMode; invitations?: InvitationMode }) =>
  callers.people.server.callNow(Instance.changeSettings.to(instanceKey, changes));
const make = async (given: Parameters<typeof makeInvite>[1] = {}, by = alice) => makeInvite(callers.as(by), given);

interface Newcomer {
  readonly email?: string;
  readonly from?: string;
}

async function come({ invite }: Pick<InviteView, 'invite'>, username = 'bob', given: Newcomer = {}) {
  const { email = `${username}@example.org`, from = '198.51.100.1' } = given;
  const caller = { ...callers.visitor().caller, address: () => from };
  const wish = { username, email, password: 'correct horse battery', agreement: true, inviteCode: invite.code };
  return registerAccount({ caller, services: callers.services }, wish);
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) =>
      error instanceof FieldsRefused
        ? Object.keys(error.problems)[0]
        : ((error as Failure).reason ?? (error as Failure).code),
  );

function withRole(name: string, ...names: RolePermission[]): Person {
  const content = { name, color: '', isHighlighted: false, position: 5, bits: bitsOf(names), needsTwoFactor: false };
  const role = callers.people.server.callNow(Instance.addRole.to(instanceKey, content));
  return callers.people.local(name, {}, role);
}

describe('whether somebody who is invited needs approval', () => {
  test.each<[InvitationMode, string, readonly string[]]>([
    ['staff', 'somebody whose role may invite', ['open', 'waits', 'waits']],
    ['staff', 'somebody whose role invites without approval', ['open', 'open', 'open']],
    ['approval', 'anybody', ['open', 'waits', 'waits']],
    ['approval', 'somebody whose role invites without approval', ['open', 'open', 'open']],
    ['free', 'anybody', ['open', 'open', 'open']],
    ['staff', 'the server', ['open', 'open', 'open']],
  ])('%s: by %s', async (invitations, who, expected) => {
    const found: string[] = [];
    const creators: Readonly<Record<string, () => Person>> = {
      anybody: () => alice,
      'somebody whose role may invite': () => withRole('inviters', 'inviteUsers'),
      'somebody whose role invites without approval': () => withRole('hosts', 'inviteUsers', 'bypassApproval'),
    };
    settings({ invitations });
    const creator = creators[who]?.();
    for (const registrations of registrationModes) {
      settings({ registrations });
      const invite = creator === undefined ? await addServerInvite(asOperator, {}) : await make({}, creator);
      const { accountId } = await come(invite, `bob_${registrations}`);
      found.push(findLogin(callers.people.server.read, accountId)!.approved ? 'open' : 'waits');
    }
    expect(found).toEqual(expected);
  });
});

test('who may invite follows from the setting and the role', async () => {
  const mona = callers.people.local('mona', {}, { role: 'moderator' });
  const who = [alice, mona, withRole('plain'), withRole('inviters', 'inviteUsers')];
  const may = async () => Promise.all(who.map((one) => refusal(make({}, one))));
  expect(await may()).toEqual(['done', 'done', 'done', 'done']);
  settings({ invitations: 'staff' });
  expect(await may()).toEqual(['forbidden', 'done', 'forbidden', 'done']);
  settings({ invitations: 'free' });
  expect(await may()).toEqual(['done', 'done', 'done', 'done']);
});

test.each<[string, (invite: InviteView) => unknown]>([
  ['suspended', () => callers.people.suspend(alice)],
  ['disabled', () => callers.people.server.call(Account.changeLogin.to(alice.id, { disabled: true }))],
  ['moved', () => callers.people.move(alice, callers.people.local('new_alice'))],
  ['leaving', () => callers.people.server.call(Account.deleteSelf.to(alice.id, { delayMilliseconds: 1_000 }))],
  ['not allowed to invite any more', () => settings({ invitations: 'staff' })],
  ['who has ended it', ({ id }) => endOwnInvite(callers.as(alice), { inviteId: id })],
  ['staff, who have ended all,', () => endInvites(asOperator, {})],
])('an invite of somebody %s lets nobody in', async (_case, change) => {
  const invite = await make();
  expect(inviteOfCode(callers.services, invite.invite.code).state).toBe('usable');
  await change(invite);
  expect(await refusal(come(invite))).toBe('inviteEnded');
  expect(inviteOfCode(callers.services, invite.invite.code)).toMatchObject({ state: 'ended', bypassesApproval: false });
  expect(listInvites(asOperator, { limit: 5 }).items.map(({ state }) => state)).toEqual(['ended']);
});

test('all are ended, and the log says so, where there is one to end', async () => {
  const written = () => auditPage(callers.people.server.read, { action: 'endInvites' }, { limit: 9 }).items.length;
  const endAll = async () => {
    await endInvites(asOperator, {});
    return written();
  };
  expect(await endAll()).toBe(0);
  const { id } = await make();
  await endOwnInvite(callers.as(alice), { inviteId: id });
  await make({ expiresIn: 60 });
  callers.people.server.clock.advance(60_000);
  expect(await endAll()).toBe(0);
  await make({ maxUses: 1 });
  expect([await endAll(), await endAll()]).toEqual([1, 1]);
  await make();
  expect(await endAll()).toBe(2);
});

test('what staff block counts for whoever is invited as well', async () => {
  settings({ registrations: 'closed', invitations: 'free' });
  const invite = await make();
  await blockAddress(asOperator, { range: '192.0.2.0/24', severity: 'sign_up_block' });
  await blockUsername(asOperator, { username: 'spam' });
  await blockUsername(asOperator, { username: 'wary', allowWithApproval: true });
  await blockEmailDomain(asOperator, { domain: 'spam.example' });
  expect(await refusal(come(invite, 'spammer'))).toBe('username');
  expect(await refusal(come(invite, 'admin'))).toBe('username');
  expect(await refusal(come(invite, 'bob', { email: 'bob@spam.example' }))).toBe('email');
  const { accountId } = await come(invite, 'wary');
  expect(findLogin(callers.people.server.read, accountId)).toMatchObject({ approved: false });
  expect(await refusal(come(invite, 'bob', { from: '192.0.2.7' }))).toBe('forbidden');
  expect(inviteOfCode(callers.services, invite.invite.code).invite.uses).toBe(1);
});

test('of many who come at once as many pass as it allows', async () => {
  settings({ registrations: 'closed' });
  const invite = await make({ maxUses: 3 });
  const outcomes = await Promise.all(Array.from({ length: 9 }, (_, number) => refusal(come(invite, `bob_${number}`))));
  expect(outcomes.sort()).toEqual([
    ...Array.from({ length: 3 }, () => 'done'),
    ...Array.from({ length: 6 }, () => 'inviteUsedUp'),
  ]);
  const { items } = await listAccounts(asOperator, { limit: 20, invitedBy: 'alice' });
  expect(items).toHaveLength(3);
  callers.people.expectSound();
});

test('staff find whom somebody has invited, by an id or a name', async () => {
  const invite = await make();
  const { accountId } = await come(invite);
  await come(await make({}, callers.people.local('carol')), 'dave');
  const found = async (invitedBy: string) =>
    (await listAccounts(asOperator, { limit: 5, invitedBy })).items.map(({ profile }) => profile.id);
  expect([await found('@alice'), await found(String(alice.id)), await found('nobody')]).toEqual([
    [accountId],
    [accountId],
    [],
  ]);
});

describe('following whoever has invited', () => {
  async function run(): Promise<void> {
    const { server } = callers.people;
    const [, runner] = inviteRunner(callers.services);
    server.settle();
    for (;;) {
      const index = server.effects.findIndex(({ effect }) => effect === followCreator.number);
      const [asked] = index === -1 ? [] : server.effects.splice(index, 1);
      if (asked === undefined) return;
      await runner(asked.request);
      asked.answer(await runner(asked.request));
      server.settle();
    }
  }
  const relation = (accountId: bigint) => callers.people.relationship({ ...alice, id: accountId }, alice);

  test('begins at once, and only where the invite says so', async () => {
    settings({ registrations: 'open' });
    const { accountId } = await come(await make({ autofollow: true }));
    const other = await come(await make(), 'carol');
    await run();
    expect([relation(accountId).follow, relation(other.accountId).follow]).toEqual([expect.anything(), undefined]);
  });

  test('begins once, when the account is approved, and asks a locked account', async () => {
    callers.people.change(alice, { locked: true });
    settings({ registrations: 'approval' });
    const { accountId } = await come(await make({ autofollow: true }));
    await run();
    expect(relation(accountId).follow).toBeUndefined();
    const change = (approved: boolean) => callers.people.server.call(Account.changeLogin.to(accountId, { approved }));
    await change(true);
    await run();
    expect(relation(accountId).follow).toMatchObject({ state: 'requested' });
    await callers.people.server.call(Account.unfollow.to(accountId, { targetId: alice.id }));
    await change(false);
    await change(true);
    await run();
    expect(relation(accountId).follow).toBeUndefined();
  });

  test('ends in nothing where the creator is suspended meanwhile', async () => {
    settings({ registrations: 'open' });
    const { accountId } = await come(await make({ autofollow: true }));
    callers.people.suspend(alice);
    await run();
    expect(relation(accountId).follow).toBeUndefined();
  });
});

test('bad input is refused by its fields', async () => {
  expect(await refusal(make({ maxUses: 0 }))).toBe('maxUses');
  expect(await refusal(make({ maxUses: 10_001 }))).toBe('maxUses');
  expect(await refusal(make({ expiresIn: 59 }))).toBe('expiresIn');
  expect(await refusal(make({ comment: 'x'.repeat(421) }))).toBe('comment');
  expect(listOwnInvites(callers.as(alice), { limit: 5 }).items).toEqual([]);
});
