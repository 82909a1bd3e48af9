/** /settings/delete: an account is deleted by its owner, or kept after all. */
import { expect, test } from 'vitest';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import { Directory } from '../../../src/actors/directory/directory.messages.ts';
import { deliveryLog } from '../../../src/actors/partition/partition.state.ts';
import { createToken } from '../../../src/operations/administration/create-token.ts';
import { operator } from '../../../src/operations/caller.ts';
import { hashPassword } from '../../../src/operations/registration/passwords.ts';
import { People } from '../../support/people.ts';
import { testProfile } from '../../support/profile.ts';
import { tellServers } from '../../support/told-servers.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const password = 'correct horse battery';
const login = async () => ({ passwordHash: await hashPassword(password, { memoryKibibytes: 8, iterations: 1 }) });

test('it takes the password, ends tokens, and a sign-in during the delay offers to keep the account', async () => {
  const site = new Site();
  const { gateway } = site;
  expect((await site.stranger.ask('/settings/delete')).location).toContain('/auth/sign_in');
  const alice = await site.person('alice', await login());
  const { token } = await createToken(
    { caller: operator, services: gateway.services },
    { username: 'alice', scopes: 'read' },
  );
  const page = await alice.ask('/settings/delete');
  expectStrict(page);
  expect(textOf(page.html)).toContain('You have 7 days to change your mind');
  const wrong = await alice.act('/web/settings/delete', { password: 'wrong' });
  expect([wrong.status, findLogin(gateway.actors.read, alice.id)!.deletesAt]).toEqual([422, undefined]);
  expectStrict(wrong);
  expect((await alice.act('/web/settings/delete', { password })).location).toBe('/settings/delete');
  expect(findLogin(gateway.actors.read, alice.id)!.deletesAt).toBeGreaterThan(gateway.actors.clock.now());
  expect(token).not.toBe('');

  const again = await site.signIn(alice.id, 'Another browser');
  for (const path of ['/settings', '/notifications', '/web/accounts/1/report'])
    expect((await again.ask(path)).location).toBe('/settings/delete');
  const waiting = await again.ask('/settings/delete');
  expectStrict(waiting);
  expect(textOf(waiting.html)).toContain('Keep my account');
  // Strangers still see the profile.
  expect((await site.stranger.ask('/@alice')).status).toBe(200);
  const form_token = /name="form_token" value="([^"]+)"/.exec(waiting.html)![1]!;
  const kept = await again.ask('/web/settings/delete/keep', { form: { form_token } });
  expect(kept.location).toBe('/settings?done=kept');
  expect(textOf((await again.ask('/settings?done=kept')).html)).toContain('Your account stays');
});

test('without a delay the account is gone with the answer, for its browser and for everybody', async () => {
  const site = new Site([], { environment: { MURMURATION_DELETION_DAYS: '0' } });
  const alice = await site.person('alice', await login());
  expect(textOf((await alice.ask('/settings/delete')).html)).toContain('This happens at once.');
  const gone = await alice.act('/web/settings/delete', { password });
  expectStrict(gone);
  expect(textOf(gone.html)).toContain('Your account is deleted');
  expect((await alice.ask('/settings')).location).toContain('/auth/sign_in');
  expect((await site.stranger.ask('/@alice')).status).toBe(410);
});

test('servers of followers and all others that are known get the same Delete', async () => {
  const site = new Site([], { environment: { MURMURATION_DELETION_DAYS: '0' } });
  const { actors, services } = site.gateway;
  const alice = await site.person('alice', await login());
  const people = new People(actors);
  const sam = async (host: string) => {
    const uri = `https://${host}/users/sam`;
    const [url, inbox, sharedInbox] = [uri, `${uri}/inbox`, `https://${host}/inbox`];
    const remote = { uri, url, inbox, sharedInbox, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({ id: 0n, username: 'sam', domain: host, remote });
    const { accountId: id } = await actors.call(Directory.learn.to(uri, { profile }));
    return { id, name: 'sam', destination: { host, inbox, sharedInbox } };
  };
  const follower = await sam('there.test');
  await sam('elsewhere.test');
  await people.follow(follower, { id: alice.id, name: 'alice', destination: undefined });
  await alice.act('/web/settings/delete', { password });
  await tellServers(actors, services);
  const told = actors.read.partitions.flatMap((partition) =>
    [...partition.range(deliveryLog, [])].flatMap(({ value: { intent, hosts, single } }) =>
      intent.kind === 'deleteAccount' ? { intent, followers: hosts.length / 4, inboxes: single } : [],
    ),
  );
  expect(new Set(told.map(({ intent }) => intent.activityId)).size).toBe(1);
  expect(told.reduce((sum, { followers }) => sum + followers, 0)).toBe(1);
  // That of the follower by its address as well: nobody knows whom to tell there once the follow is removed.
  expect(told.flatMap(({ inboxes }) => inboxes.map(({ inbox }) => inbox)).sort()).toEqual([
    'https://elsewhere.test/users/sam/inbox',
    'https://there.test/users/sam/inbox',
  ]);
});

test('the only owner is told to give the role to somebody else first', async () => {
  const site = new Site();
  const olga = await site.person('olga', { ...(await login()), role: 'owner' });
  const refused = await olga.act('/web/settings/delete', { password });
  expect([refused.status, textOf(refused.html).includes('You are the only owner')]).toEqual([422, true]);
});
