/** Uses of invites: never more than an invite allows, whatever happens at once or ends in between. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import { actors, keyspaces, rules } from '../../../src/actors/catalogue.ts';
import { nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import {
  findInvite,
  invitesOf,
  inviteWithCode,
  stateOfInvite,
} from '../../../src/actors/instance/invites/invites.queries.ts';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import type { Failure } from '../../../src/runtime/errors.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { createTestServer, partialActor, type TestServer } from '../../support/actors.ts';
import { addAccount, signUp } from '../../support/sign-up.ts';
import { assertSound } from '../../support/sound.ts';

const partitions = 3;
const names = ['bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi'];
let server: TestServer;
let alice: Id;

beforeEach(async () => {
  server = createTestServer({ partitions, actors, keyspaces });
  alice = await addAccount(server, 'alice');
});

const content = { code: 'abcdefghij', autofollow: false, comment: '' };

/** `null`: of the server itself. */
async function made(given: object = {}, by: Id | null = alice): Promise<Id> {
  const creatorId = by ?? undefined;
  const { inviteId } = await server.call(Instance.addInvite.to(instanceKey, { ...content, creatorId, ...given }));
  return inviteId;
}

const registration = (inviteId: Id, name: string) =>
  Instance.registerInvited.to(instanceKey, { inviteId, account: signUp(name) });
const register = (inviteId: Id, name: string) => server.call(registration(inviteId, name));
const stored = (inviteId: Id, of = server) => findInvite(of.read, inviteId)!.invite;
const here = (of = server) =>
  names.filter((name) => accountIdOfName(of.read, nameOfHandle(name, undefined)) !== undefined);
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Failure) => error.reason ?? error.code,
  );

test('of many sign-ups at once as many pass as the invite allows', async () => {
  const inviteId = await made({ usesMax: 3 });
  for (const name of names) server.send(registration(inviteId, name));
  server.settle();
  expect(here()).toHaveLength(3);
  expect(stored(inviteId)).toMatchObject({ uses: 3, reserved: [] });
  expect(await refusal(register(inviteId, 'ivan'))).toBe('inviteUsedUp');
  assertSound(server.disks, rules);
});

test.each(['a name', 'an address'])('a use is given back where %s is taken', async (what) => {
  const inviteId = await made({ usesMax: 1 });
  const account =
    what === 'a name'
      ? signUp('alice', { email: 'other@example.org' })
      : signUp('other', { email: 'alice@example.org' });
  const answer = await server.call(Instance.registerInvited.to(instanceKey, { inviteId, account }));
  expect(answer).toEqual({ taken: what === 'a name' ? 'username' : 'email' });
  expect(stored(inviteId)).toMatchObject({ uses: 0, reserved: [] });
  expect(await register(inviteId, 'bob')).toMatchObject({ accountId: expect.any(BigInt) });
});

test('a process that ends at any step leaves neither a lost use nor one too many', async () => {
  const outcomes = new Set<number>();
  for (let steps = 0; ; steps += 1) {
    server = createTestServer({ partitions, actors, keyspaces });
    alice = await addAccount(server, 'alice');
    const inviteId = await made({ usesMax: 2 });
    for (const name of names) server.send(registration(inviteId, name));
    let isOver = false;
    for (let step = 0; step < steps; step += 1) isOver ||= !server.step();
    const next = createTestServer({ disks: server.disks as never, actors, keyspaces });
    next.settle();
    const present = here(next).length;
    outcomes.add(present);
    expect(present).toBeLessThanOrEqual(2);
    expect(stored(inviteId, next)).toMatchObject({ uses: present, reserved: [] });
    assertSound(next.disks, rules);
    if (isOver) break;
  }
  expect([...outcomes]).toEqual(expect.arrayContaining([0, 2]));
});

test('a reservation that nothing settles is forgotten after a day', async () => {
  const broken = actors.filter((actor) => actor.kind !== Account.actor.kind);
  const create = () => {
    throw new Error('planted');
  };
  server = createTestServer({ partitions, actors: [...broken, partialActor(Account, { create })], keyspaces });
  const inviteId = await made({ usesMax: 1 }, null);
  await expect(register(inviteId, 'bob')).rejects.toThrow();
  server.problems.length = 0;
  expect(stored(inviteId).reserved).toHaveLength(1);
  expect(await refusal(register(inviteId, 'carol'))).toBe('inviteUsedUp');
  server.clock.advance(instanceLimits.reservationMilliseconds);
  expect(stored(inviteId)).toMatchObject({ uses: 0, reserved: [] });
});

test('an account says with which invite it came, and gives it back where staff reject it', async () => {
  const inviteId = await made({ usesMax: 1 });
  const account = signUp('bob', { approved: false });
  const answer = await server.call(Instance.registerInvited.to(instanceKey, { inviteId, account }));
  const { accountId } = answer as { accountId: Id };
  expect(findLogin(server.read, accountId)?.invitation).toEqual({ inviteId, creatorId: alice });
  await server.call(Account.reject.to(accountId, {}));
  expect(stored(inviteId).uses).toBe(0);
});

describe('an invite lets nobody in', () => {
  test('once it has expired', async () => {
    const inviteId = await made({ expiresAt: server.clock.now() + 1_000 });
    await register(inviteId, 'bob');
    server.clock.advance(1_000);
    expect(await refusal(register(inviteId, 'carol'))).toBe('inviteExpired');
  });

  test('once it has ended, which only its creator can decide', async () => {
    const inviteId = await made();
    const bob = await addAccount(server, 'bob');
    const end = (creatorId: Id) => server.call(Instance.endInvite.to(instanceKey, { inviteId, creatorId }));
    expect(await refusal(end(bob))).toBe('notFound');
    await end(alice);
    await end(alice);
    expect(await refusal(register(inviteId, 'carol'))).toBe('inviteEnded');
    expect(here()).toEqual(['bob']);
  });

  test('once all have ended; later ones do', async () => {
    const inviteId = await made();
    await server.call(Instance.endInvites.to(instanceKey, {}));
    expect(await refusal(register(inviteId, 'bob'))).toBe('inviteEnded');
    expect(stateOfInvite(server.read, findInvite(server.read, inviteId)!, server.clock.now())).toBe('ended');
    await register(await made({ code: 'another' }), 'carol');
    expect(here()).toEqual(['carol']);
  });

  test('once its creator is gone', async () => {
    const inviteId = await made();
    await server.call(Account.deleteSelf.to(alice, { delayMilliseconds: 0 }));
    expect(await refusal(register(inviteId, 'bob'))).toBe('notFound');
    expect(inviteWithCode(server.read, content.code)).toBeUndefined();
    assertSound(server.disks, rules);
  });
});

test('of too many invites the oldest that is spent gives way, and then there is no more room', async () => {
  const { invitesOfAccountMax: max } = instanceLimits;
  const first = await made({ code: 'first' });
  const spent = await made({ code: 'spent', expiresAt: server.clock.now() });
  for (let count = 2; count < max; count += 1) await made({ code: `code ${count}` });
  await made({ code: 'last' });
  expect([findInvite(server.read, first)?.id, findInvite(server.read, spent)]).toEqual([first, undefined]);
  expect(await refusal(made({ code: 'one too many' }))).toBe('tooManyInvites');
  expect(invitesOf(server.read, alice, { limit: max + 1 }).items).toHaveLength(max);
  expect(await refusal(made({ code: 'first' }))).toBe('conflict');
  await made({ code: 'of the server' }, null);
});
