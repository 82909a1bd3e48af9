/** The life of a local account: creation, changes, suspension. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { changeLogin, changeProfile, create } from '../../../../src/actors/account/local/lifecycle.ts';
import {
  findLocalAccount,
  findLogin,
  loginStateOf,
  passwordMarkOf,
} from '../../../../src/actors/account/profile/logins.queries.ts';
import { setKeysIfAbsent } from '../../../../src/actors/account/profile/profile.actor.ts';
import { profileChanged } from '../../../../src/actors/account/profile/profile.events.ts';
import { keyspaces } from '../../../../src/actors/catalogue.ts';
import { directoryActor } from '../../../../src/actors/directory/directory.actor.ts';
import { blockAccountEmail, unblockAccountEmail } from '../../../../src/actors/instance/access/access.actor.ts';
import { Instance } from '../../../../src/actors/instance/instance.messages.ts';
import { usageOf } from '../../../../src/actors/instance/instance.queries.ts';
import { partitionActor } from '../../../../src/actors/partition/partition.actor.ts';
import { loginChanged } from '../../../../src/actors/session/session.events.ts';
import { createTestServer, partialActor, type TestServer } from '../../../support/actors.ts';
import { People } from '../../../support/people.ts';
import { signUp } from '../../../support/sign-up.ts';

const alice = 1_000_000_000_064n;
const bob = 2_000_000_000_064n;

let server: TestServer;

beforeEach(async () => {
  const handlers = { create, changeProfile, changeLogin, setKeysIfAbsent };
  const instance = partialActor(Instance, { blockAccountEmail, unblockAccountEmail });
  const actors = [partialActor(Account, handlers), instance, directoryActor, partitionActor];
  server = createTestServer({ actors, keyspaces });
  await server.call(Account.create.to(alice, signUp('alice')));
});

afterEach(() => {
  expect(server.problems).toEqual([]);
});

const users = () => usageOf(server.read.partitions, 0).users;
const found = () => findLocalAccount(server.read, alice)!;

describe('create', () => {
  test('writes profile, login and counters once', async () => {
    await server.call(Account.create.to(alice, { ...signUp('mallory') }));
    expect(found()).toMatchObject({ profile: { username: 'alice', actorType: 'Person' }, login: { role: 'user' } });
    expect(users()).toBe(1);
  });

  test.each([
    ['pending', { approved: false }],
    ['unconfirmed', { confirmed: false }],
  ])('does not count an account that is %s as a user', async (state, login) => {
    await server.call(Account.create.to(bob, signUp('bob', login)));
    expect(loginStateOf(findLocalAccount(server.read, bob)!)).toBe(state);
    expect(users()).toBe(1);
    await server.call(Account.changeLogin.to(bob, { confirmed: true, approved: true }));
    expect(users()).toBe(2);
  });
});

describe('changeProfile', () => {
  test('changes what is given and nothing else', async () => {
    server.clock.advance(1000);
    await server.call(
      Account.changeProfile.to(alice, { displayName: 'Alice A.', bot: true, defaultPrivacy: 'unlisted' }),
    );
    expect(found()).toMatchObject({
      profile: {
        displayName: 'Alice A.',
        bot: true,
        actorType: 'Service',
        username: 'alice',
        updatedAt: server.clock.now(),
      },
      login: { defaultPrivacy: 'unlisted', defaultSensitive: false, email: 'alice@example.org' },
    });
    expect(server.events(profileChanged)).toEqual([{ accountId: alice }]);
  });

  test('tells the servers of remote followers', async () => {
    const people = new People();
    const target = people.local('alice');
    await people.follow(people.remote('bob', 'example.net'), target);
    people.takeDeliveries();
    people.change(target, { note: 'Hello' });
    const intent = { kind: 'updateAccount', actorId: target.id };
    expect(people.takeDeliveries()).toMatchObject([{ intent, toFollowers: true }]);
    await people.server.call(Account.changeLogin.to(target.id, { memorial: true, disabled: true }));
    expect(people.takeDeliveries()).toMatchObject([{ intent, toFollowers: true }]);
    await people.server.call(Account.changeStanding.to(target.id, { disabled: false }));
    expect(people.takeDeliveries()).toMatchObject([{ intent, toFollowers: true }]);
    expect(people.profile(target)?.memorial).toBe(false);
  });

  test('tells nobody of what is the own matter of its owner, nor of what is as it was', async () => {
    const people = new People();
    const target = people.local('alice');
    await people.follow(people.remote('bob', 'example.net'), target);
    const note = { note: 'Hello', noteHtml: '<p>Hello</p>', fields: [{ name: 'Site', value: 'a', html: 'a' }] };
    people.change(target, { ...note, emojis: [] });
    people.takeDeliveries();
    people.change(target, { expandMedia: 'hide_all', expandSpoilers: true, autoplayGifs: false, locale: 'de' });
    people.change(target, { defaultPrivacy: 'private', defaultSensitive: true, defaultLanguage: 'fr', emojis: [] });
    people.change(target, { defaultQuotePolicy: 'nobody', defaultReplyPolicy: 'followers' });
    people.change(target, { warnsOfMissingDescriptions: false });
    people.change(target, { ...note, emojis: [] });
    expect(people.takeDeliveries()).toEqual([]);
    expect(findLogin(people.server.read, target.id)).toMatchObject({ defaultPrivacy: 'private', autoplayGifs: false });
    people.change(target, { showFeatured: false, defaultSensitive: false });
    expect(people.takeDeliveries()).toMatchObject([{ intent: { kind: 'updateAccount', actorId: target.id } }]);
  });

  test('that unlocks lets the waiting followers in', async () => {
    const people = new People();
    const target = people.local('alice', { locked: true });
    const requester = people.local('bob');
    await people.follow(requester, target);
    people.change(target, { displayName: 'Still locked' });
    expect(people.requesterIds(target)).toEqual([requester.id]);
    people.change(target, { locked: false });
    expect(people.requesterIds(target)).toEqual([]);
    expect(people.followedIds(requester)).toEqual([target.id]);
  });
});

describe('changeLogin', () => {
  test.each([
    ['suspension', { suspended: true }, 'disabled'],
    ['disabling', { disabled: true }, 'disabled'],
    ['taking the approval back', { approved: false }, 'pending'],
  ])('%s prevents signing in until it is undone', async (_name, change, state) => {
    await server.call(Account.changeLogin.to(alice, change));
    expect(loginStateOf(found())).toBe(state);
    await server.call(Account.changeLogin.to(alice, { suspended: false, disabled: false, approved: true }));
    expect(loginStateOf(found())).toBe('active');
    expect(server.events(loginChanged)).toHaveLength(2);
    expect(users()).toBe(1);
  });

  test('suspension is visible to others, and the account no longer counts as a user', async () => {
    await server.call(Account.changeLogin.to(alice, { suspended: true }));
    const at = found().profile.suspendedAt;
    expect(at).toBe(server.clock.now());
    expect(server.events(profileChanged)).toEqual([{ accountId: alice }]);
    expect(users()).toBe(0);
    server.clock.advance(1000);
    await server.call(Account.changeLogin.to(alice, { suspended: true }));
    expect(found().profile.suspendedAt).toBe(at);
  });

  test('a role is stored in the profile too', async () => {
    await server.call(Account.changeLogin.to(alice, { role: 'admin' }));
    expect(found()).toMatchObject({ profile: { role: 'admin' }, login: { role: 'admin' } });
  });

  test('a new password changes the mark that sessions carry', async () => {
    const before = passwordMarkOf(findLogin(server.read, alice)!);
    await server.call(Account.changeLogin.to(alice, { passwordHash: 'another' }));
    expect(passwordMarkOf(findLogin(server.read, alice)!)).not.toBe(before);
  });

  test('of an unknown account is refused', async () => {
    await expect(server.call(Account.changeLogin.to(bob, { role: 'admin' }))).rejects.toMatchObject({
      code: 'notFound',
    });
  });
});

test('the first key pair stays', async () => {
  const pair = (name: string) => ({ publicKeyPem: name, privateKeyPem: name, createdAt: 1 });
  expect(await server.call(Account.setKeysIfAbsent.to(alice, pair('first')))).toEqual(pair('first'));
  expect(await server.call(Account.setKeysIfAbsent.to(alice, pair('second')))).toEqual(pair('first'));
});
