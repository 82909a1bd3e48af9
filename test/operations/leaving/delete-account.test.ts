/** Accounts that their owners delete: the delay, what is left, and who is told. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { deleteSelf } from '../../../src/actors/account/leaving/delete-self.ts';
import { findLocalAccount, findLogin, loginStateOf } from '../../../src/actors/account/profile/logins.queries.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { nameOfEmail, nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import { tokenRevoked } from '../../../src/actors/session/session.events.ts';
import { tokensOfAccount } from '../../../src/actors/session/session.queries.ts';
import { localActor } from '../../../src/gateway/activitypub/find.ts';
import { changeRole } from '../../../src/operations/administration/change-role.ts';
import { createAccount } from '../../../src/operations/administration/create-account.ts';
import { createToken } from '../../../src/operations/administration/create-token.ts';
import { operator } from '../../../src/operations/caller.ts';
import { deleteOwnAccount, keepOwnAccount } from '../../../src/operations/leaving/delete-account.ts';
import { onBehalfOf } from '../../../src/operations/on-behalf.ts';
import { openBrowserSession } from '../../../src/operations/registration/browser-sessions.ts';
import { hashPassword } from '../../../src/operations/registration/passwords.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import { setUpApp } from '../../support/authenticator-app.ts';
import type { Person } from '../../support/observer.ts';
import { tellServers } from '../../support/told-servers.ts';
import { Callers } from '../callers.ts';

const password = 'correct horse battery';
const day = 24 * 60 * 60 * 1_000;
let callers: Callers;
let bob: Person;

beforeEach(async () => {
  callers = new Callers();
  bob = callers.people.local(
    'bob',
    { discoverable: true },
    { passwordHash: await hashPassword(password, { memoryKibibytes: 8, iterations: 1 }), email: 'bob@users.test' },
  );
});

const read = () => callers.people.server.read;
const asOperator = () => ({ caller: operator, services: callers.services });
const proof = { password, code: '', browser: '' };
const deleteBob = (given = proof) => deleteOwnAccount(callers.as(bob), given);
const state = () => loginStateOf(findLocalAccount(read(), bob.id)!);
const mails = () =>
  callers.people
    .takeMails()
    .filter(({ content }) => content.kind !== 'notification')
    .map(({ email, content }) => `${email} ${content.kind}`);

/** Bob has something of nearly everything. */
async function life() {
  const { people } = callers;
  const [alice, rita] = [people.local('alice'), people.remote('rita', 'there.test')];
  await people.follow(alice, bob);
  await people.follow(bob, alice);
  await people.follow(rita, bob);
  const own = await people.publish(bob, { withMedia: true });
  const other = await people.publish(alice);
  await people.favourite(bob, other);
  await people.block(bob, people.local('carol'));
  people.upload(bob);
  const { server } = people;
  for (const message of [
    Account.bookmark.to(bob.id, { statusId: other.id }),
    Account.createList.to(bob.id, { title: 'Birds', repliesPolicy: 'list', exclusive: false }),
    Account.followTag.to(bob.id, { name: 'birds' }),
    Account.moveMarkers.to(bob.id, { home: { lastReadId: other.id, seenVersion: 0 } }),
    Account.dismissAnnouncement.to(bob.id, { announcementId: 7n, present: [7n] }),
    Account.muteThread.to(bob.id, { threadId: other.id }),
    Account.changeNotificationPolicy.to(bob.id, { forNotFollowing: 'filter' }),
    Account.changeMailSettings.to(bob.id, { on: ['reblog'], off: [] }),
  ])
    await server.call(message as Envelope<unknown>);
  await createToken(asOperator(), { username: 'bob', scopes: 'read' });
  return { alice, own };
}

/** The keyspaces in which something of the account is left. */
function left(): string[] {
  return keyspaces
    .filter(({ partitionWide, parts: [first] }) => !partitionWide && first?.name === 'account')
    .filter((space) => [...read().range(space as never, [bob.id] as never)].length > 0)
    .map(({ name }) => name)
    .sort();
}

test('until the delay is over nothing changes, but nobody can act for the account, and it can be kept', async () => {
  await life();
  mails();
  const { deletesAt } = await deleteBob();
  expect(deletesAt).toBe(callers.services.now() + callers.services.options.deletionDays * day);
  expect([state(), mails()]).toEqual(['leaving', ['bob@users.test deletionBegun']]);
  expect([tokensOfAccount(read(), bob.id), callers.people.server.events(tokenRevoked).length]).toEqual([[], 1]);
  expect(() => onBehalfOf(callers.services, bob.id)).toThrow(expect.objectContaining({ code: 'loginDisabled' }));
  await expect(deleteBob()).rejects.toMatchObject({ code: 'conflict' });
  expect(localActor(read(), 'bob').profile.displayName).toBe('bob');

  await keepOwnAccount(callers.as(bob), {});
  expect([state(), mails()]).toEqual(['active', ['bob@users.test deletionTakenBack']]);
  await expect(keepOwnAccount(callers.as(bob), {})).rejects.toMatchObject({ code: 'conflict' });
  // The timer of the first decision ends nothing, also where there is another one by now.
  callers.people.server.clock.advance(day);
  await deleteBob();
  callers.people.server.clock.advance(deletesAt - callers.services.now());
  expect(state()).toBe('leaving');
  callers.people.expectSound();
});

test('after the delay nothing is left, and the name stays taken', async () => {
  const { people } = callers;
  const { alice, own } = await life();
  const session = { passwordMark: 'mark', browser: 'A browser' };
  await openBrowserSession(callers.as(bob), session);
  const { deletesAt } = await deleteBob();
  mails();
  people.takeDeliveries();
  people.server.clock.advance(deletesAt - callers.services.now());
  expect(mails()).toEqual(['bob@users.test deleted']);
  await tellServers(people.server, callers.services);

  const deliveries = people.takeDeliveries();
  expect(new Set(deliveries.map(({ intent }) => JSON.stringify(intent, (_name, value) => String(value)))).size).toBe(1);
  expect(deliveries[0]!.intent).toMatchObject({ kind: 'deleteAccount', actorId: bob.id });

  // It goes a little at a time, with pauses.
  people.server.clock.advance(60_000);
  // Numbers, all of them zero.
  const counts = ['account counters', 'follower distributions', 'notification counts'];
  expect(left()).toEqual([...counts, 'logins', 'profiles'].sort());
  expect(findLogin(read(), bob.id)).toMatchObject({ email: '', passwordHash: '', disabled: true, confirmed: false });
  expect(people.profile(bob)).toMatchObject({ displayName: '', role: 'user', suspendedAt: expect.any(Number) });
  expect([people.statusRecord(own.id), people.accountCounters(alice)?.followers]).toEqual([undefined, 0]);
  expect(() => localActor(read(), 'bob')).toThrow(expect.objectContaining({ code: 'gone' }));
  expect(accountIdOfName(read(), nameOfHandle('bob', undefined))).toBe(bob.id);
  expect(accountIdOfName(read(), nameOfEmail('bob@users.test'))).toBeUndefined();
  const again = { email: 'bob@users.test', confirmed: true, approved: true };
  await expect(createAccount(asOperator(), { username: 'Bob', ...again })).rejects.toMatchObject({
    code: 'validation',
  });
  await createAccount(asOperator(), { username: 'robert', ...again });
  people.expectSound();
});

test('without a delay it is deleted at once', async () => {
  Object.assign(callers.services.options, { deletionDays: 0 });
  await deleteBob();
  expect(() => localActor(read(), 'bob')).toThrow(expect.objectContaining({ code: 'gone' }));
});

test('it takes the password, and a code that is used up where there is a second factor', async () => {
  await expect(deleteBob({ ...proof, password: 'wrong' })).rejects.toMatchObject({ code: 'credentialsInvalid' });
  const { recoveryCodes } = await setUpApp(callers.services, { id: bob.id, username: 'bob', password });
  await expect(deleteBob()).rejects.toMatchObject({ code: 'codeInvalid' });
  expect(state()).toBe('active');
  const [code] = recoveryCodes;
  await deleteBob({ ...proof, code: code! });
  await keepOwnAccount(callers.as(bob), {});
  await expect(deleteBob({ ...proof, code: code! })).rejects.toMatchObject({ code: 'codeInvalid' });
});

test('the only owner stays, also beside one that leaves', async () => {
  const { people } = callers;
  await changeRole(asOperator(), { account: bob.id, role: 'owner' });
  await expect(deleteBob()).rejects.toMatchObject({ code: 'validation', reason: 'onlyOwner' });
  const olga = people.local('olga', {}, { role: 'owner' });
  await deleteBob();
  await expect(changeRole(asOperator(), { account: olga.id, role: 'admin' })).rejects.toMatchObject({
    code: 'validation',
  });
});

test('the only owner stays, also beside one that cannot sign in', async () => {
  const { people } = callers;
  await changeRole(asOperator(), { account: bob.id, role: 'owner' });
  const olga = people.local('olga', {}, { role: 'owner' });
  people.suspend(olga);
  await expect(deleteBob()).rejects.toMatchObject({ code: 'validation', reason: 'onlyOwner' });
  const demoted = changeRole(asOperator(), { account: bob.id, role: 'admin' });
  await expect(demoted).rejects.toMatchObject({ code: 'validation' });
});

test('an account of another server is not deleted here', () => {
  const rita = callers.people.remote('rita', 'there.test');
  const deleted = () =>
    callers.people.server.turn(Account.actor, rita.id, (turn) => deleteSelf(turn, { delayMilliseconds: 0 }));
  expect(deleted).toThrow(expect.objectContaining({ code: 'notFound' }));
});

test('an account that staff have suspended is not deleted by its owner', async () => {
  callers.people.suspend(bob);
  await expect(deleteBob()).rejects.toMatchObject({ code: 'conflict' });
});
