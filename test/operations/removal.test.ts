/** Accounts that are gone: rejected sign-ups, and what a suspended account left here, after thirty days or at once. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { removedLists } from '../../src/actors/account/moderation/removed-lists.ts';
import { warningsOf } from '../../src/actors/account/moderation/warnings.queries.ts';
import { findLogin } from '../../src/actors/account/profile/logins.queries.ts';
import { auditPage } from '../../src/actors/audit.queries.ts';
import { nameOfEmail, nameOfHandle } from '../../src/actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../src/actors/directory/directory.queries.ts';
import { suspendedDataMilliseconds } from '../../src/actors/policy/suspension.ts';
import { localActor } from '../../src/gateway/activitypub/find.ts';
import { createAccount } from '../../src/operations/administration/create-account.ts';
import { forceNewPassword } from '../../src/operations/administration/end-sessions.ts';
import {
  rejectAccount,
  removeAccountData,
  removePictures,
} from '../../src/operations/administration/remove-account.ts';
import { demoteAccount, promoteAccount } from '../../src/operations/administration/step-role.ts';
import { suspendAccount, unsuspendAccount } from '../../src/operations/administration/suspend-account.ts';
import { operator } from '../../src/operations/caller.ts';
import type { Person } from '../support/observer.ts';
import { tellServers } from '../support/told-servers.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let bob: Person;

beforeEach(() => {
  callers = new Callers();
  bob = callers.people.local('bob');
});

const asOperator = () => ({ caller: operator, services: callers.services });
const untilRemovedMilliseconds = 60_000;
const read = () => callers.people.server.read;
const profile = (person: Person) => callers.people.profile(person);

/** Bob has something of everything that is removed. */
async function life(): Promise<{ alice: Person; rita: Person; ids: bigint[] }> {
  const { people } = callers;
  const { server } = people;
  const [alice, rita] = [people.local('alice'), people.remote('rita', 'there.test')];
  await people.follow(alice, bob);
  await people.follow(bob, alice);
  await people.follow(rita, bob);
  const own = await people.publish(bob, { withMedia: true });
  const other = await people.publish(alice);
  await people.favourite(bob, other);
  await people.favourite(alice, own);
  await people.block(bob, people.local('carol'));
  await people.mute(bob, people.local('dora'));
  people.upload(bob);
  const call = (message: Parameters<typeof server.call>[0]) => server.call(message);
  await call(Account.bookmark.to(bob.id, { statusId: other.id }));
  await call(Account.createList.to(bob.id, { title: 'Birds', repliesPolicy: 'list', exclusive: false }));
  await call(Account.followTag.to(bob.id, { name: 'birds' }));
  await call(Account.setNote.to(bob.id, { targetId: alice.id, comment: 'Kind' }));
  return { alice, rita, ids: [own.id] };
}

const isEmpty = () =>
  removedLists
    .map(({ space }) => [space.name, [...read().range(space, [bob.id])].length])
    .filter(([, count]) => count !== 0);

test.each(['after thirty days', 'at once'])('nothing stays of a suspended account, %s', async (when) => {
  const { people } = callers;
  const { alice, ids } = await life();
  await suspendAccount(asOperator(), { account: bob.id, tells: false });
  people.server.settle();
  const follows = () => people.relationship(bob, alice).follow !== undefined;
  expect([follows(), people.statusRecord(ids[0]!)?.id]).toEqual([true, ids[0]]);
  people.takeDeliveries();
  if (when === 'at once') await removeAccountData(asOperator(), { account: bob.id });
  else people.server.clock.advance(suspendedDataMilliseconds);
  await tellServers(people.server, callers.services);
  expect(people.takeDeliveries().map(({ intent }) => intent)).toContainEqual(
    expect.objectContaining({ kind: 'deleteAccount', actorId: bob.id }),
  );
  // It goes a little at a time, with pauses.
  people.server.clock.advance(untilRemovedMilliseconds);
  expect(isEmpty()).toEqual([]);
  expect([follows(), people.followerIds(bob), people.statusRecord(ids[0]!)]).toEqual([false, [], undefined]);
  expect(people.accountCounters(alice)).toMatchObject({ followers: 0, following: 0 });
  expect(profile(bob)).toMatchObject({
    displayName: '',
    suspendedAt: expect.any(Number),
    dataRemovedAt: expect.any(Number),
  });
  expect(findLogin(read(), bob.id)).toMatchObject({ disabled: true, passwordHash: '' });
  expect(() => localActor(read(), 'bob')).toThrow(expect.objectContaining({ code: 'gone' }));
  await expect(unsuspendAccount(asOperator(), { account: bob.id })).rejects.toMatchObject({ code: 'validation' });
  await expect(removeAccountData(asOperator(), { account: bob.id })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(
    createAccount(asOperator(), { username: 'bob', email: 'else@users.test', confirmed: true, approved: true }),
  ).rejects.toMatchObject({ code: 'validation' });
  people.expectSound();
});

test('only what is suspended is removed', async () => {
  await expect(removeAccountData(asOperator(), { account: bob.id })).rejects.toMatchObject({ code: 'forbidden' });
  expect(profile(bob)?.displayName).toBe('bob');
});

test('a sign-up that is rejected leaves nothing, and its name and address are free', async () => {
  const given = { username: 'eve', email: 'eve@users.test', confirmed: true, approved: false };
  await createAccount(asOperator(), given);
  const before = accountIdOfName(read(), nameOfHandle('eve', undefined))!;
  await callers.people.server.call(Account.changeLogin.to(before, { approved: false }));
  await rejectAccount(asOperator(), { account: before });
  callers.people.server.settle();
  for (const name of [nameOfHandle('eve', undefined), nameOfEmail('eve@users.test')])
    expect(accountIdOfName(read(), name)).toBeUndefined();
  expect([findLogin(read(), before), callers.people.profile({ ...bob, id: before })]).toEqual([undefined, undefined]);
  callers.people.expectSound();
  await createAccount(asOperator(), { ...given, approved: true });
  await expect(rejectAccount(asOperator(), { account: 'eve' })).rejects.toMatchObject({ code: 'forbidden' });
});

test('pictures are removed once, with a strike that says so in the language of the account', async () => {
  const { people } = callers;
  const held = { file: { name: 'picture.png', bytes: 9 } };
  const dora = people.local('dora', {}, { locale: 'de' });
  await people.server.call(Account.changeProfile.to(dora.id, { avatarPicture: held, headerPicture: held }));
  const strikes = () => warningsOf(read(), dora.id, { limit: 10 }).items.map(({ action, text }) => [action, text]);
  const warnings = () => people.notificationsOf(dora).filter(({ type }) => type === 'moderation_warning').length;
  const remove = (more: object) => removePictures(asOperator(), { account: dora.id, pictures: ['avatar'], ...more });
  await remove({ text: 'It was somebody else’s.' });
  const written = () => auditPage(read(), { action: 'removePictures' }, { limit: 9 }).items.length;
  people.takeDeliveries();
  await expect(remove({})).rejects.toMatchObject({ code: 'validation' });
  const gone = { pictures: ['avatar' as const], audit: undefined };
  await expect(people.server.call(Account.removePictures.to(dora.id, gone))).rejects.toMatchObject({
    code: 'conflict',
  });
  expect([written(), people.takeDeliveries()]).toEqual([1, []]);
  const first = ['none', 'Dein Profilbild wurde entfernt.\n\nIt was somebody else’s.'];
  expect([profile(dora)?.avatar, profile(dora)?.header, strikes(), warnings()]).toEqual([
    undefined,
    held.file.name,
    [first],
    1,
  ]);
  // Of both it has one.
  await remove({ pictures: ['avatar', 'header'], tells: false });
  expect([strikes()[0], strikes().length, warnings()]).toEqual([
    ['none', 'Das Titelbild deines Profils wurde entfernt.'],
    2,
    1,
  ]);
  await expect(remove({ text: 'x'.repeat(100_000) })).rejects.toMatchObject({ code: 'validation' });
  people.expectSound();
});

test('a new password is demanded', async () => {
  const before = findLogin(read(), bob.id)!.passwordHash;
  await forceNewPassword(asOperator(), { account: bob.id });
  expect(findLogin(read(), bob.id)!.passwordHash).not.toBe(before);
  callers.people.expectSound();
});

test('roles change by one step, between user and admin', async () => {
  const role = () => findLogin(read(), bob.id)!.role;
  const step = async (act: typeof promoteAccount) => {
    await act(asOperator(), { account: bob.id });
    return role();
  };
  expect([await step(promoteAccount), await step(promoteAccount)]).toEqual(['moderator', 'admin']);
  await expect(step(promoteAccount)).rejects.toMatchObject({ code: 'validation' });
  expect([await step(demoteAccount), await step(demoteAccount)]).toEqual(['moderator', 'user']);
  await expect(step(demoteAccount)).rejects.toMatchObject({ code: 'validation' });
  const olga = callers.people.local('olga', {}, { role: 'owner' });
  await expect(demoteAccount(asOperator(), { account: olga.id })).rejects.toMatchObject({ code: 'validation' });
});
